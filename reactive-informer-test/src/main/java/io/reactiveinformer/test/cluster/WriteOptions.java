package io.reactiveinformer.test.cluster;

/**
 * @param dryRun answer as if it were done, and do nothing
 * @param manager who is said to have changed the fields
 * @param trusted the test's own hand: its word on the status counts, and a namespace that is missing is made
 */
public record WriteOptions(boolean dryRun, String manager, boolean trusted) {

    /** As a test writes, past the API. */
    public static final WriteOptions TRUSTED = new WriteOptions(false, "test", true);

    public static WriteOptions by(String manager) {
        return new WriteOptions(false, manager, false);
    }
}
