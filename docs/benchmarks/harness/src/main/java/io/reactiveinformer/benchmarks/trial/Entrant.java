package io.reactiveinformer.benchmarks.trial;

/**
 * A library that takes part.
 *
 * @param classPath the library whose property {@code trial.<library>} is the class path
 * @param contender the class of {@link Contender}, and after a colon its argument
 */
record Entrant(String name, String classPath, String contender) {

    private static final String OURS = "io.reactiveinformer.benchmarks.ReactiveInformer";
    private static final String OF_FABRIC8 = "io.reactiveinformer.benchmarks.fabric8.Fabric8Client";

    static final Entrant TYPED = new Entrant("typed", "ours", OURS + ":typed");
    static final Entrant PROJECTED = new Entrant("projected", "ours", OURS + ":projected");
    static final Entrant METADATA = new Entrant("metadata", "ours", OURS + ":metadata");
    static final Entrant OFFICIAL = new Entrant("client-java", "official", "io.reactiveinformer.benchmarks.official.OfficialClient");
    static final Entrant FABRIC8 = new Entrant("fabric8", "fabric8", OF_FABRIC8);
    static final Entrant FABRIC8_PAGED = new Entrant("fabric8, pages", "fabric8", OF_FABRIC8 + ":500");

    /** What each must do at the least, without a server: pods of 6 KB. */
    static Entrant plain(ClusterShape of, boolean keepsNames) {
        return new Entrant("Jackson alone" + (keepsNames ? "" : ", keeps no names"), "ours",
                "io.reactiveinformer.internal.codec.PlainBinding:" + of.corpus() + "," + of.pods() + "," + keepsNames);
    }
}
