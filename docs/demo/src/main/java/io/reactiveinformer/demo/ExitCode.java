package io.reactiveinformer.demo;

/** The exit codes of the process. */
final class ExitCode {

    static final int OK = 0;

    /** The time was over before the first complete state was received; also for every other failure. */
    static final int NOT_SYNCED = 1;

    /** The arguments are invalid. */
    static final int USAGE = 2;

    private ExitCode() {}
}
