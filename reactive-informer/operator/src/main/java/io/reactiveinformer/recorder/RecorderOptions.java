package io.reactiveinformer.recorder;

import io.reactiveinformer.internal.operator.HostName;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.regex.Pattern;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The options of a recorder. A {@code with} method returns a copy with one option changed. The constructor, and so each {@code with}
 * method, throws {@link IllegalArgumentException} if a name is invalid.
 *
 * @param reportingController the recording component: a qualified name such as {@code example.com/image-mirror}, with the syntax of a label
 *     key
 * @param reportingInstance identifies this process among those of the component; of 1 to 128 bytes
 * @param observer for metrics
 * @param workers the threads on which requests are subscribed to
 * @param timer measures time, and ends every pause
 * @param random random numbers in [0, 1), for the length of pauses and for names
 */
public record RecorderOptions(
        String reportingController,
        String reportingInstance,
        EventRecorder.Observer observer,
        Scheduler workers,
        Scheduler timer,
        DoubleSupplier random) {

    private static final int LONGEST_INSTANCE = 128;

    /** As {@code IsQualifiedName} of apimachinery. */
    private static final Pattern QUALIFIED_NAME = Pattern.compile(
            "(?:(?=.{1,253}/)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,"
                    + "61}[A-Za-z0-9])?");

    /** @throws IllegalArgumentException if the server would refuse Events of that controller or instance */
    public RecorderOptions {
        if (!QUALIFIED_NAME.matcher(reportingController).matches()) {
            throw new IllegalArgumentException(
                    "reportingController must be a qualified name such as example.com/image-mirror, of letters, digits, '-', '_' and '.', "
                    + "at most 63 after the '/', or the server refuses every Event; was \"" + reportingController + "\"");
        }
        if (reportingInstance.isBlank() || reportingInstance.getBytes(StandardCharsets.UTF_8).length > LONGEST_INSTANCE) {
            throw new IllegalArgumentException("reportingInstance must have 1 to " + LONGEST_INSTANCE
                    + " bytes, was \"" + reportingInstance + "\"");
        }
    }

    /**
     * Options for a component: an instance named after the component and the host, as in client-go, no observer, and Reactor's schedulers.
     * The host is {@code $HOSTNAME}, or else the name that the kernel has on Linux, or {@code %COMPUTERNAME%}, or {@code unknown}. DNS is
     * not asked, as that may block.
     *
     * @throws IllegalArgumentException if {@code reportingController} is no qualified name
     */
    public static RecorderOptions of(String reportingController) {
        String instance = reportingController + "-" + HostName.orElse("unknown");
        return new RecorderOptions(
                reportingController, instance.substring(0, Math.min(LONGEST_INSTANCE, instance.length())), EventRecorder.Observer.NONE,
                Schedulers.parallel(), Schedulers.single(), () -> ThreadLocalRandom.current().nextDouble());
    }

    /** A copy with this {@link #reportingInstance}. */
    public RecorderOptions withInstance(String other) {
        return new RecorderOptions(reportingController, other, observer, workers, timer, random);
    }

    /** A copy with this {@link #observer}, which replaces the present one. */
    public RecorderOptions withObserver(EventRecorder.Observer other) {
        return new RecorderOptions(reportingController, reportingInstance, other, workers, timer, random);
    }

    /** A copy with these {@link #workers}. */
    public RecorderOptions withWorkers(Scheduler other) {
        return new RecorderOptions(reportingController, reportingInstance, observer, other, timer, random);
    }

    /** A copy with this {@link #timer}. */
    public RecorderOptions withTimer(Scheduler other) {
        return new RecorderOptions(reportingController, reportingInstance, observer, workers, other, random);
    }

    /** A copy with this {@link #random}. */
    public RecorderOptions withRandom(DoubleSupplier other) {
        return new RecorderOptions(reportingController, reportingInstance, observer, workers, timer, other);
    }
}
