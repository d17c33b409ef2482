package consumer;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.Change;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.ResolvableType;

/** An informer as a bean, over a server in the same process. */
@SpringBootApplication
public class Application {

    private static final FakeApiServer SERVER = FakeApiServer.create();

    @Bean
    KubernetesClient client() {
        return KubernetesClient.create(ClusterConfig.of(SERVER.url()));
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] args) throws Exception {
        SERVER.start();
        for (String name : new String[] {"a", "b"}) {
            SERVER.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: default}, spec: {containers: "
                    + "[{name: main, image: nginx}]}}");
        }
        var context = SpringApplication.run(Application.class, args);
        var pods = (Informer<V1Pod>) context.getBeanProvider(ResolvableType.forClassWithGenerics(Informer.class, V1Pod.class)).getObject();
        var synced = pods.changes().ofType(Change.Synced.class).blockFirst(Duration.ofSeconds(30));
        var page = URI.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port") + "/actuator/informers/ui");
        int status = HttpClient.newHttpClient().send(HttpRequest.newBuilder(page).build(), BodyHandlers.discarding()).statusCode();
        System.out.println("synced: " + synced.count() + " pods; informers: " + context.getBeansOfType(Informer.class).keySet()
                + "; dashboard: " + status);
        context.close();
        SERVER.close();
        System.exit(0);
    }
}
