package io.reactiveinformer.apiserver.internal.cluster;

/**
 * The options of a write.
 *
 * @param version the version in which the object is written; empty for the stored version
 * @param dryRun whether to answer as if the write were done, and change nothing
 * @param manager the manager that is recorded for the changed fields
 * @param applies whether this is a server-side apply
 * @param trusted whether the test itself writes: its status is stored, and a missing namespace is created
 * @param admission what may change or refuse the write
 */
public record WriteOptions(
        String version, boolean dryRun, String manager, boolean applies, boolean trusted, Admission admission) {

    /** The options of a test's writes without requests. */
    public static final WriteOptions TRUSTED = new WriteOptions("", false, "test", false, true, Admission.NONE);

    /** An ordinary write of this manager in the stored version. */
    public static WriteOptions by(String manager) {
        return new WriteOptions("", false, manager, false, false, Admission.NONE);
    }

    /** The same options with another version of the object. */
    public WriteOptions in(String otherVersion) {
        return new WriteOptions(otherVersion, dryRun, manager, applies, trusted, admission);
    }

    /** The same options for server-side apply. */
    WriteOptions applying() {
        return new WriteOptions(version, dryRun, manager, true, trusted, admission);
    }

    String versionOf(ResourceDefinition type) {
        return version.isEmpty() ? type.storageVersion() : version;
    }
}
