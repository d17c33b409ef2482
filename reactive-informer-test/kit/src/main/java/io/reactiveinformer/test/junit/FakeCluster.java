package io.reactiveinformer.test.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Injects a {@link io.reactiveinformer.test.FakeApiServer} that listens into a field or a parameter of a test.
 *
 * <pre>{@code
 * class MyControllerTest {
 *     @FakeCluster("cluster.yaml") FakeApiServer server;      // an instance field: a fresh one for each test
 *     @FakeCluster static FakeApiServer shared;               // a static field: one for the class, emptied after each test
 *
 *     @FakeCluster FakeApiServer secure = FakeApiServer.builder().tls().with(pod).build(); // made by the test, started and stopped here
 *
 *     @Test void reconciles(@FakeCluster FakeApiServer own) {}
 * }
 * }</pre>
 *
 * <p>If a class has one instance for all its tests, its instance fields are treated as static ones. When a test or a {@code @BeforeEach}
 * method fails, the {@link io.reactiveinformer.test.FakeApiServer#log} of its servers is added to the failure as a suppressed exception,
 * which every runner prints.
 *
 * <p>With {@code -Dcluster=real} the server is a proxy to a real cluster, see {@link io.reactiveinformer.test.FakeApiServer}. A test that
 * needs a server in memory is then skipped, also if it ignores the exception that says so.
 */
@Documented
@Target({ElementType.FIELD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(FakeClusterExtension.class)
public @interface FakeCluster {

    /**
     * YAML or JSON files whose objects are there before each test. What {@code kubectl get -o yaml} has printed is stored as it is, see
     * {@link io.reactiveinformer.apiserver.ClusterObjects#load}; other objects are created. A name is relative to the test class on the
     * class path; with a leading slash it is relative to the root.
     */
    String[] value() default {};

    /**
     * The directory of a recording, on the class path as {@link #value}, that the server replays: see
     * {@link io.reactiveinformer.test.FakeApiServer.Builder#replay}. Ignored for a server that the test built itself.
     */
    String recording() default "";

    /** The seed of uids, generated names and timeouts. Ignored for a server that the test built itself. */
    long seed() default 1;
}
