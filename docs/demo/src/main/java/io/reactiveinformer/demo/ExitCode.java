package io.reactiveinformer.demo;

/** What the process tells its caller. */
final class ExitCode {

    static final int OK = 0;

    /** The time was over before the first complete state had come; also for whatever else went wrong. */
    static final int NOT_SYNCED = 1;

    /** The arguments cannot be meant so. */
    static final int USAGE = 2;

    private ExitCode() {}
}
