package io.reactiveinformer.spring.testing;

import io.reactiveinformer.test.FakeApiServer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/** The application with a cluster in memory. */
class TestOperatorApplication {

    public static void main(String[] args) {
        SpringApplication.from(OperatorApplication::main).with(Cluster.class).run(args);
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class Cluster {

        @Bean
        FakeApiServer server() {
            FakeApiServer server = FakeApiServer.create();
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: note}, data: {text: four}}");
            return server;
        }
    }
}
