package io.reactiveinformer.spring.testing;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.spring.KubernetesConnectionDetails;
import io.reactiveinformer.spring.SpringTest;
import io.reactiveinformer.spring.test.ReactiveInformerTest;
import io.reactiveinformer.spring.test.TestInformer;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests of Boot applications as users write them; the page about testing shows them. */
@Timeout(120)
class UsersTestsTest {

    @ReactiveInformerTest
    @Import(LengthsConfiguration.class)
    static class LengthsTest {

        static final FakeApiServer SERVER = FakeApiServer.create();

        @Autowired
        InformerFactory informers;

        @Autowired
        ApplicationContext context;

        @Test
        void aNoteIsGivenItsLength() {
            SERVER.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: note}, data: {text: four}}");

            Informer<V1ConfigMap> notes = informers.of(ResourceType.of(V1ConfigMap.class), Namespaces.all());
            V1ConfigMap note = notes.await(ObjectKey.of("shop", "note"), map -> !map.getMetadata().getAnnotations().isEmpty())
                    .block(Duration.ofSeconds(30));

            assertThat(note.getMetadata().getAnnotations()).isEqualTo(Map.of("length", "4"));
        }
    }

    @SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
    static class WholeApplicationTest {

        @TestConfiguration(proxyBeanMethods = false)
        static class Cluster {

            @Bean
            FakeApiServer server() {
                return FakeApiServer.create();
            }
        }

        @Autowired
        FakeApiServer server;

        @Autowired
        KubernetesConnectionDetails connection;

        @Test
        void aNoteIsPatched() {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: note}, data: {text: four}}");
            server.requests().await(request -> request.http().method().equals("PATCH"), Duration.ofSeconds(30)).block();
        }
    }

    @ReactiveInformerTest
    static class TwoServersTest {
        static final FakeApiServer ONE = FakeApiServer.create();
        static final FakeApiServer TWO = FakeApiServer.create();
    }

    @ReactiveInformerTest
    static class NoServerYetTest {
        static FakeApiServer server;
    }

    @Test
    void anInformerOfGivenObjectsNeedsNoServer() {
        Informer<V1Pod> pods = TestInformer.of(ResourceType.of(V1Pod.class),
                new V1Pod().metadata(new V1ObjectMeta().namespace("shop").name("web")));

        assertThat(pods.lister().get(ObjectKey.of("shop", "web"))).isPresent();
    }

    @Test
    void aSliceHasTheServerOfAStaticFieldAndNoComponents() throws Exception {
        try (var slice = SpringTest.of(LengthsTest.class)) {
            slice.instance().aNoteIsGivenItsLength();
            ApplicationContext context = slice.instance().context;
            assertThat(context.getBeansOfType(Unrelated.class)).isEmpty();
            assertThat(context.containsBean("webHandler")).isFalse();
            assertThat(context.getBean(FakeApiServer.class)).isSameAs(LengthsTest.SERVER);
        }
    }

    @Test
    void aWholeApplicationHasTheServerThatIsABean() throws Exception {
        try (var whole = SpringTest.of(WholeApplicationTest.class)) {
            whole.instance().aNoteIsPatched();
            String url = whole.instance().server.url();
            assertThat(whole.instance().connection.cluster().cluster().block().toString()).contains(url.substring("http://".length()));
        }
    }

    @Test
    void aFailureHasTheLogOfTheServer() throws Exception {
        try (var slice = SpringTest.of(LengthsTest.class)) {
            slice.instance().informers.synced().block(Duration.ofSeconds(30));
            var failure = new AssertionError("of the test");
            slice.fails("aNoteIsGivenItsLength", failure);
            assertThat(failure.getSuppressed()).singleElement().extracting(Throwable::getMessage).asString()
                    .startsWith("log of fakeApiServer:\n").contains("list configmaps: 200");
        }
    }

    @Test
    void anApplicationIsDevelopedWithAServerInMemory() {
        var running = SpringApplication.from(OperatorApplication::main).with(TestOperatorApplication.Cluster.class)
                .run("--spring.main.web-application-type=none", "--spring.main.banner-mode=off");
        try (ConfigurableApplicationContext context = running.getApplicationContext()) {
            context.getBean(FakeApiServer.class).requests()
                    .await(request -> request.http().method().equals("PATCH"), Duration.ofSeconds(30)).block();
        }
    }

    @Test
    void twoServersOrNoneAreNamed() {
        assertThatThrownBy(() -> SpringTest.of(TwoServersTest.class)).hasStackTraceContaining("has 2 static fields with a FakeApiServer");
        assertThatThrownBy(() -> SpringTest.of(NoServerYetTest.class))
                .hasStackTraceContaining("create the server where the field is declared");
    }
}
