package io.reactiveinformer.apiserver.internal.cluster;

/**
 * How something is written.
 *
 * @param version that the object is written in; empty for the one in which it is stored
 * @param dryRun answer as if it were done, and do nothing
 * @param manager who is said to have changed the fields
 * @param trusted the test's own hand: its word on the status counts, and a namespace that is missing is made
 */
public record WriteOptions(String version, boolean dryRun, String manager, boolean trusted) {

    /** As a test writes, past the API. */
    public static final WriteOptions TRUSTED = new WriteOptions("", false, "test", true);

    public static WriteOptions by(String manager) {
        return new WriteOptions("", false, manager, false);
    }

    public WriteOptions in(String otherVersion) {
        return new WriteOptions(otherVersion, dryRun, manager, trusted);
    }

    String versionOf(ResourceDefinition type) {
        return version.isEmpty() ? type.storageVersion() : version;
    }
}
