package io.reactiveinformer.laws.kit;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.Kubectl;
import io.reactiveinformer.test.simulation.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(300)
class KubectlTest {

    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: 2
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: c, image: "nginx:1"}, {name: side, image: "log:1"}]}
            """;

    private final FakeApiServer server = FakeApiServer.create().start();
    private @TempDir Path home;
    private Kubectl kubectl;

    @BeforeEach
    void findKubectl() {
        kubectl = new Kubectl(server, home);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void createsGetsAndDeletes() {
        String file = kubectl.file(DEPLOYMENT);
        assertThat(kubectl.run("create", "-f", file)).contains("deployment.apps/web created");
        assertThat(kubectl.run("get", "deploy")).contains("READY", "0/2");
        assertThat(kubectl.run("get", "deployments.apps", "web", "-o", "jsonpath={.spec.template.spec.containers[*].name}"))
                .isEqualTo("c side");
        assertThat(kubectl.run("describe", "deploy", "web")).contains("nginx:1", "StrategyType");
        assertThat(kubectl.tryRun("create", "-f", file).output()).contains("AlreadyExists");
        assertThat(kubectl.run("delete", "-f", file)).contains("deleted");
        assertThat(kubectl.run("get", "deploy")).contains("No resources found");
    }

    @Test
    void learnsThatThereIsNoSuchKind() {
        String file = kubectl.file("apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n");

        assertThat(kubectl.tryRun("create", "-f", file)).satisfies(result -> assertThat(result.exit()).isNotZero())
                .extracting(Kubectl.Result::output).asString().contains("no matches for kind \"Widget\" in version \"example.com/v1\"");
    }

    @Test
    void createsByNameWhichItSendsAsProtocolBuffers() {
        kubectl.run("create", "namespace", "shop");
        kubectl.run("create", "configmap", "settings", "--from-literal=sky=blue");
        kubectl.run("create", "secret", "generic", "keys", "--from-literal=door=open");
        kubectl.run("create", "serviceaccount", "robot");
        kubectl.run("create", "deployment", "web", "--image=nginx:1", "--replicas=0", "--port=80");
        kubectl.run("create", "job", "once", "--image=tool:1", "--", "tool", "--fast");
        kubectl.run("create", "cronjob", "often", "--image=tool:1", "--schedule=*/5 * * * *");
        kubectl.run("create", "service", "clusterip", "web", "--tcp=80:http");
        kubectl.run("create", "quota", "few", "--hard=pods=3,requests.cpu=500m");
        kubectl.run("create", "role", "reader", "--verb=get,list", "--resource=pods,deployments.apps");
        kubectl.run("create", "rolebinding", "reads", "--role=reader", "--serviceaccount=default:robot");
        kubectl.run("create", "poddisruptionbudget", "gently", "--selector=app=web", "--min-available=50%");
        kubectl.run("create", "ingress", "front", "--rule=shop.example/buy*=web:80");
        kubectl.run("create", "priorityclass", "first", "--value=1000");

        assertThat(value("namespace", "shop", "{.status.phase}")).isEqualTo("Active");
        assertThat(value("configmap", "settings", "{.data}")).isEqualTo("{\"sky\":\"blue\"}");
        assertThat(value("secret", "keys", "{.data.door} {.type}")).isEqualTo("b3Blbg== Opaque");
        assertThat(value("deployment", "web", "{.spec.replicas} {.spec.template.spec.containers[0].ports[0].containerPort}"))
                .isEqualTo("0 80");
        assertThat(value("job", "once", "{.spec.template.spec.containers[0].command}")).isEqualTo("[\"tool\",\"--fast\"]");
        assertThat(value("cronjob", "often", "{.spec.schedule}")).isEqualTo("*/5 * * * *");
        assertThat(value("service", "web", "{.spec.ports[0].port} {.spec.ports[0].targetPort}")).isEqualTo("80 http");
        assertThat(value("quota", "few", "{.spec.hard}")).isEqualTo("{\"pods\":\"3\",\"requests.cpu\":\"500m\"}");
        assertThat(value("role", "reader", "{.rules[*].apiGroups} {.rules[1].verbs}")).isEqualTo("[\"\"] [\"apps\"] [\"get\",\"list\"]");
        assertThat(value("rolebinding", "reads", "{.subjects[0].name}")).isEqualTo("robot");
        assertThat(value("pdb", "gently", "{.spec.minAvailable}")).isEqualTo("50%");
        assertThat(value("ingress", "front", "{.spec.rules[0].http.paths[0].backend.service.port.number}")).isEqualTo("80");
        assertThat(value("priorityclass", "first", "{.value}")).isEqualTo("1000");
    }

    private String value(String type, String name, String path) {
        return kubectl.run("get", type, name, "-o", "jsonpath=" + path);
    }

    @Test
    void appliesWhatChanged() {
        kubectl.run("apply", "-f", kubectl.file(DEPLOYMENT));
        assertThat(kubectl.run("apply", "-f", kubectl.file(DEPLOYMENT))).contains("unchanged");
        assertThat(kubectl.run("apply", "-f", kubectl.file(DEPLOYMENT.replace("nginx:1", "nginx:2")))).contains("configured");
        kubectl.run("set", "image", "deploy/web", "side=log:9");
        assertThat(kubectl.run("get", "deploy", "web", "-o", "jsonpath={.spec.template.spec.containers[*].image}"))
                .isEqualTo("nginx:2 log:9");
        kubectl.run("scale", "deploy/web", "--replicas=7");
        assertThat(kubectl.run("get", "deploy", "web", "-o", "jsonpath={.spec.replicas} {.metadata.generation}")).isEqualTo("7 4");
    }

    @Test
    void appliesOnTheServerWhatOneManagerWants() {
        String file = kubectl.file(DEPLOYMENT);
        kubectl.run("apply", "--server-side", "--field-manager=one", "-f", file);
        String other = kubectl.file(DEPLOYMENT.replace("nginx:1", "nginx:9"));
        Kubectl.Result refused = kubectl.tryRun("apply", "--server-side", "--field-manager=two", "-f", other);
        assertThat(refused.exit()).isNotZero();
        assertThat(refused.output()).contains("conflict with \"one\"", ".spec.template.spec.containers");
        kubectl.run("apply", "--server-side", "--field-manager=two", "--force-conflicts", "-f", other);
        assertThat(kubectl.run("get", "deploy", "web", "-o", "jsonpath={.spec.template.spec.containers[*].image}"))
                .isEqualTo("nginx:9 log:1");
    }

    @Test
    void diffsAndEditsAndDeletesWithWhatIsOwned() {
        kubectl.run("apply", "-f", kubectl.file(DEPLOYMENT));
        Kubectl.Result diff = kubectl.tryRun("diff", "-f", kubectl.file(DEPLOYMENT.replace("nginx:1", "nginx:2")));
        assertThat(diff.output()).contains("nginx:2");
        kubectl.run("label", "deploy/web", "tier=front");
        assertThat(kubectl.run("get", "deploy", "-l", "tier=front", "-o", "name")).contains("deployment.apps/web");
        String uid = kubectl.run("get", "deploy", "web", "-o", "jsonpath={.metadata.uid}");
        server.objects()
                .create("{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: owned, namespace: default, ownerReferences: "
                + "[{apiVersion: apps/v1, kind: Deployment, name: web, uid: " + uid + "}]}, spec: {replicas: 0, "
                + "selector: {matchLabels: {a: b}}, "
                + "template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}");
        kubectl.run("delete", "deploy", "web");
        kubectl.run("wait", "--for=delete", "rs/owned", "--timeout=120s");
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: gone}}");
        assertThat(kubectl.run("delete", "namespace", "gone", "--timeout=120s")).contains("deleted");
        assertThat(kubectl.tryRun("get", "configmap", "c", "-n", "gone").output()).contains("NotFound");
    }

    @Test
    void rollsOutAndBackAndWaits() {
        server.objects()
                .create("{apiVersion: v1, kind: Node, metadata: {name: node-1}, status: {conditions: [{type: Ready, status: 'True'}]}}");
        Disposable motion = Simulation.of(server).start(Duration.ofMillis(20));
        try {
            kubectl.run("create", "deployment", "web", "--image=nginx:1", "--replicas=2");
            assertThat(kubectl.run("rollout", "status", "deploy/web", "--timeout=120s")).contains("successfully rolled out");
            kubectl.run("wait", "deploy/web", "--for=condition=Available", "--timeout=120s");
            kubectl.editor("sed -i s/nginx:1/nginx:2/").run("edit", "deploy/web");
            assertThat(kubectl.run("rollout", "status", "deploy/web", "--timeout=120s")).contains("successfully rolled out");
            assertThat(value("deployment", "web", "{.spec.template.spec.containers[0].image}")).isEqualTo("nginx:2");
            kubectl.run("expose", "deploy/web", "--port=80");
            assertThat(value("service", "web", "{.spec.selector.app}")).isEqualTo("web");
            kubectl.run("rollout", "restart", "deploy/web");
            kubectl.run("rollout", "status", "deploy/web", "--timeout=120s");
            kubectl.run("run", "solo", "--image=tool:1", "--labels=app=solo");
            kubectl.run("wait", "pod/solo", "--for=condition=Ready", "--timeout=120s");
            kubectl.run("delete", "deploy/web", "--cascade=foreground", "--timeout=120s");
            assertThat(kubectl.run("get", "pods", "-l", "app=web")).contains("No resources found");
        } finally {
            motion.dispose();
        }
    }

    @Test
    void showsWhatAnEventRecorderTells() {
        server.objects()
                .create("{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: default}, spec: {containers: [{name: c, image: "
                + "x}]}}");
        V1Pod pod = new V1Pod().metadata(new V1ObjectMeta().namespace("default").name("web").uid(value("pod", "web", "{.metadata.uid}")));
        try (KubernetesClient client = KubernetesClient.over(server.transport())) {
            EventRecorder events = EventRecorder.of(client, "example.com/mirror");
            events.normal(pod, "Mirrored", "Mirror", "copied the image");
            events.close(Duration.ofSeconds(10)).block();
        }

        assertThat(kubectl.run("get", "events")).containsPattern("LAST SEEN +TYPE +REASON +OBJECT +MESSAGE")
                .containsPattern("Normal +Mirrored +pod/web +copied the image");
        assertThat(kubectl.run("events", "--for", "pod/web")).contains("copied the image");
        assertThat(kubectl.run("describe", "pod", "web")).containsPattern("Normal +Mirrored +.*example.com/mirror +copied the image");
    }

    @Test
    void watchesWhatHappens() throws IOException, InterruptedException {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: first, namespace: default}}");
        Path output = home.resolve("watch.out");
        Process watch = kubectl.start(output, "get", "cm", "-w", "--no-headers");
        try {
            awaitLine(output, "first");
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: second, namespace: default}}");
            awaitLine(output, "second");
        } finally {
            watch.destroy();
            watch.waitFor(10, TimeUnit.SECONDS);
        }
    }

    private static void awaitLine(Path output, String text) {
        Flux.interval(Duration.ofMillis(20))
                .filter(tick -> read(output).contains(text))
                .blockFirst(Duration.ofSeconds(20));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }
}
