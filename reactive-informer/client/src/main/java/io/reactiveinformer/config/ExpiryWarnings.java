package io.reactiveinformer.config;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;

/**
 * Logs once that a certificate is about to expire, and once that it has expired: a day before its end, or, if it is valid for less than a
 * day, in the last quarter of that time. Called with each request, since certificates age while they are used.
 */
final class ExpiryWarnings {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterConfig.class);
    private static final long EARLY = Duration.ofDays(1).toMillis();

    private record Warned(X509Certificate certificate, boolean expired) {}

    /** These certificates need no warning before that time. */
    private record Quiet(List<X509Certificate> certificates, long until) {}

    private final String what;
    private final String origin;
    private final Scheduler clock;
    private final Set<Warned> warned = new HashSet<>(); // guarded by this
    private volatile Quiet quiet = new Quiet(List.of(), Long.MIN_VALUE);

    /**
     * @param what kind of certificate, for messages: "client certificate"
     * @param origin where it is configured, for messages
     */
    ExpiryWarnings(String what, String origin, Scheduler clock) {
        this.what = what;
        this.origin = origin;
        this.clock = clock;
    }

    void check(List<X509Certificate> certificates) {
        long now = clock.now(TimeUnit.MILLISECONDS);
        Quiet known = quiet;
        if (known.certificates != certificates || now >= known.until) {
            quiet = new Quiet(certificates, warnOf(certificates, now));
        }
    }

    private synchronized long warnOf(List<X509Certificate> certificates, long now) {
        warned.removeIf(old -> !certificates.contains(old.certificate)); // replaced ones
        long next = Long.MAX_VALUE;
        for (X509Certificate certificate : certificates) {
            long end = certificate.getNotAfter().toInstant().toEpochMilli();
            long life = end - certificate.getNotBefore().toInstant().toEpochMilli();
            long soon = end - (life < EARLY ? life / 4 : EARLY);
            if (now >= soon && warned.add(new Warned(certificate, now > end))) {
                warn(certificate, now, end);
            }
            next = now > end ? next : Math.min(next, now >= soon ? end + 1 : soon);
        }
        return next;
    }

    private void warn(X509Certificate certificate, long now, long end) {
        if (now > end) {
            LOG.warn("the {} {} of {} expired on {}; renew it", what, certificate.getSubjectX500Principal(),
                    origin, Instant.ofEpochMilli(end));
        } else {
            LOG.warn("the {} {} of {} expires on {}, in {} min; renew it", what, certificate.getSubjectX500Principal(), origin,
                    Instant.ofEpochMilli(end), TimeUnit.MILLISECONDS.toMinutes(end - now));
        }
    }
}
