package io.reactiveinformer.benchmarks.trial;

/**
 * A library that takes part.
 *
 * @param classPath the library whose property {@code trial.<library>} is the class path
 * @param contender the class of {@link Contender}, or of an operator or application, and after a colon its argument
 */
record Entrant(String name, String classPath, String contender) {

    private static final String OURS = "io.reactiveinformer.benchmarks.ReactiveInformer";
    private static final String OF_FABRIC8 = "io.reactiveinformer.benchmarks.fabric8.Fabric8Client";
    private static final String OF_WEB_PAGES = "io.reactiveinformer.benchmarks.operators.WebPages";
    private static final String OF_JOSDK = "io.reactiveinformer.benchmarks.josdk.WebPages";
    private static final String OF_DISCOVERY = "io.reactiveinformer.benchmarks.discovery.DiscoveryApplication";

    static final Entrant TYPED = new Entrant("typed", "ours", OURS + ":typed");
    static final Entrant TYPED_JSON = new Entrant("typed, JSON", "ours", OURS + ":typed-json");
    static final Entrant TYPED_MANAGED = new Entrant("typed, managed fields", "ours", OURS + ":typed-managed");
    static final Entrant PROJECTED = new Entrant("projected", "ours", OURS + ":projected");
    static final Entrant METADATA = new Entrant("metadata", "ours", OURS + ":metadata");
    static final Entrant OFFICIAL = new Entrant("client-java", "official", "io.reactiveinformer.benchmarks.official.OfficialClient");
    static final Entrant FABRIC8 = new Entrant("fabric8", "fabric8", OF_FABRIC8);
    static final Entrant FABRIC8_PAGED = new Entrant("fabric8, pages", "fabric8", OF_FABRIC8 + ":500");

    static final Entrant WEB_PAGES = new Entrant("this library", "ours", OF_WEB_PAGES);
    static final Entrant WEB_PAGES_UNLIMITED = new Entrant("this library, no write limit", "ours", OF_WEB_PAGES + ":0");
    static final Entrant JOSDK = new Entrant("JOSDK", "josdk", OF_JOSDK);
    static final Entrant JOSDK_8 = new Entrant("JOSDK, 8 threads", "josdk", OF_JOSDK + ":8");

    static final Entrant CLOUD = new Entrant("this library", "cloud", OF_DISCOVERY);
    static final Entrant CLOUD_FABRIC8 = new Entrant("Spring Cloud Kubernetes, fabric8", "cloud-fabric8", OF_DISCOVERY);
    static final Entrant CLOUD_OFFICIAL = new Entrant("Spring Cloud Kubernetes, client-java", "cloud-client-java", OF_DISCOVERY);

    /** What each must do at the least, without a server: pods of 6 KB. */
    static Entrant plain(ClusterShape of, boolean keepsNames) {
        return new Entrant("Jackson alone" + (keepsNames ? "" : ", keeps no names"), "ours",
                "io.reactiveinformer.internal.codec.PlainBinding:" + of.corpus() + "," + of.pods() + "," + keepsNames);
    }
}
