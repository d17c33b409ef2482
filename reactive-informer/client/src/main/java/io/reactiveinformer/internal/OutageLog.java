package io.reactiveinformer.internal;

import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import reactor.core.scheduler.Scheduler;

/**
 * Logs the outages of one informer, election or the like: a line when an outage begins, when the kind of its cause changes, each five
 * minutes, and when it ends. Has no timer: the lines come with the tries. Thread-safe.
 *
 * <p>Limits, since a server may fail in two ways in turn, or be well for a moment again and again: a kind of cause is not repeated within a
 * minute, and of outages that follow each other within five minutes, only the first three are logged if they last less than a minute.
 */
public final class OutageLog {

    private static final Duration REMINDER = Duration.ofMinutes(5);
    private static final Duration REPEATED = Duration.ofMinutes(1);
    private static final int SHORT_ONES = 3;
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofMillis(100);
    private static final int KINDS = 32;

    /** As {@code 503 ServiceUnavailable: cannot list …}. */
    private static final Pattern REFUSAL = Pattern.compile("[1-5]\\d\\d\\b");
    private static final Pattern NAMES = Pattern.compile("\\S*[\\d/]\\S*");

    private final Logger log;
    private final String name;
    private final Scheduler clock;

    // Times in nanoseconds; guarded by this.
    private boolean out;
    private boolean told;
    private long began;
    private Instant since = Instant.EPOCH;
    private int tries;
    private int outages;
    private long lastLine;
    private String lastKind = "";
    private final Map<String, Long> toldAt = new HashMap<>();

    /** @param name what is out, as in all other lines; each line begins with it, unless the message of the cause contains it */
    public OutageLog(Logger log, String name, Scheduler clock) {
        this.log = log;
        this.name = name;
        this.clock = clock;
    }

    /**
     * A try has failed.
     *
     * @param what what follows: {@code resuming}
     * @param pause the time until then
     */
    public synchronized void failed(Throwable cause, String what, Duration pause) {
        long now = clock.now(TimeUnit.NANOSECONDS);
        if (!out) {
            begin(now);
        }
        tries++;
        String kind = kind(cause);
        if (isDue(kind, now)) {
            toldAt.put(kind, now);
            lastKind = kind;
            lastLine = now;
            told = true;
            log.warn("{}{}; {} {}", named(cause), sofar(now), what, in(pause));
        }
    }

    private void begin(long now) {
        if (outages == 0 || now - began >= REMINDER.toNanos()) {
            outages = 0;
            toldAt.clear();
        }
        out = true;
        told = false;
        began = now;
        since = Instant.ofEpochMilli(clock.now(TimeUnit.MILLISECONDS)).truncatedTo(ChronoUnit.SECONDS);
        tries = 0;
        outages++;
    }

    private boolean isDue(String kind, long now) {
        Long before = toldAt.size() > KINDS ? Long.valueOf(lastLine) : toldAt.get(kind);
        boolean begins = tries == 1 && outages <= SHORT_ONES;
        boolean lasts = !told && now - began >= REPEATED.toNanos();
        boolean changes = !kind.equals(lastKind) && (before == null || now - before >= REPEATED.toNanos());
        return begins || lasts || changes || now - lastLine >= REMINDER.toNanos();
    }

    private String sofar(long now) {
        String before = outages <= SHORT_ONES ? "" : "; " + (outages - 1) + " outages shortly before";
        return tries == 1 ? before
                : "; out since " + since + " (" + spoken(Duration.ofNanos(now - began)) + "), " + tries + " tries" + before;
    }

    /**
     * Works again. Does nothing if it worked before.
     *
     * @param what what works, before "after" and the time: {@code live again}
     * @param how how it came to work, with its comma: {@code , by resuming from version 4711}; may be empty
     */
    public synchronized void ended(String what, String how) {
        if (out) {
            out = false;
            if (told) {
                log.info("{}: {} after {}{}", name, what, spoken(Duration.ofNanos(clock.now(TimeUnit.NANOSECONDS) - began)), how);
            }
        }
    }

    /** Right also as the last line of an outage: a short pause is not the last one. */
    private static String in(Duration pause) {
        String next = pause.compareTo(SOON) < 0 ? "at once" : "in " + spoken(pause);
        return pause.compareTo(LONG) < 0 ? next + ", and again until it succeeds" : next;
    }

    private String named(Throwable cause) {
        String text = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        return text.contains(name) ? text : name + ": " + text;
    }

    /**
     * The class of {@code cause}, and what its message begins with, without names; of a refusal by the server the class only. A certificate
     * or a name of a host that is wrong is not the same as a server that is gone: it waits for a person.
     */
    private String kind(Throwable cause) {
        String type = cause.getClass().getName();
        String text = String.valueOf(cause.getMessage());
        if (REFUSAL.matcher(text).lookingAt()) {
            return type;
        }
        String ours = text.startsWith(name + ": ") ? text.substring(name.length() + 2) : text;
        int end = ours.indexOf(": ");
        String wrong = Causes.find(cause, CertificateException.class) != null ? "certificate "
                : Causes.find(cause, UnknownHostException.class) != null ? "host " : "";
        return type + wrong + NAMES.matcher(end < 0 ? ours : ours.substring(0, end)).replaceAll("");
    }

    /** {@code 1 object}, {@code 42 objects}. */
    public static String objects(int count) {
        return count == 1 ? "1 object" : count + " objects";
    }

    /** For a person: {@code 954 ms}, {@code 12 s}, {@code 3 min 20 s}, {@code 2 h 5 min}. */
    public static String spoken(Duration time) {
        if (time.compareTo(Duration.ofSeconds(10)) < 0) {
            return time.toMillis() + " ms";
        }
        if (time.compareTo(Duration.ofMinutes(1)) < 0) {
            return time.toSeconds() + " s";
        }
        return time.compareTo(Duration.ofHours(1)) < 0
                ? time.toMinutes() + " min" + (time.toSecondsPart() == 0 ? "" : " " + time.toSecondsPart() + " s")
                : time.toHours() + " h" + (time.toMinutesPart() == 0 ? "" : " " + time.toMinutesPart() + " min");
    }
}
