package io.reactiveinformer.demo;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ControllersCommandTest {

    private static final String TIME = "\\d\\d:\\d\\d:\\d\\d\\.\\d{3}";

    private final Console console = new Console();

    @TempDir
    Path home;

    @AfterEach
    void end() {
        console.requestEnd();
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES) // kubectl starts some twenty times, on machines that do much else
    void doesWhatOneExpectsWhoUsesKubectl() throws Exception {
        CompletableFuture<Integer> run = console.start("controllers");
        String server = console.awaitErr("embedded server: ").replace("embedded server: ", "");
        var kubectl = new Kubectl(server, home);

        kubectl.run("create", "deployment", "web", "--image=x", "--replicas=3");
        assertThat(kubectl.run("rollout", "status", "deployment/web", "--timeout=120s")).contains("successfully rolled out");
        assertThat(kubectl.run("get", "deployment", "web")).contains("3/3");

        kubectl.run("set", "image", "deployment/web", "x=y");
        assertThat(kubectl.run("rollout", "status", "deployment/web", "--timeout=120s")).contains("successfully rolled out");
        assertThat(kubectl.run("get", "replicasets", "-o",
                "jsonpath={.items[?(@.spec.replicas>0)].spec.template.spec.containers[0].image}"))
                .isEqualTo("y");

        kubectl.run("rollout", "undo", "deployment/web");
        assertThat(kubectl.run("rollout", "status", "deployment/web", "--timeout=120s")).contains("successfully rolled out");
        assertThat(kubectl.run("get", "replicasets", "-o",
                "jsonpath={.items[?(@.spec.replicas>0)].spec.template.spec.containers[0].image}"))
                .isEqualTo("x");
        assertThat(kubectl.run("rollout", "history", "deployment/web")).contains("2 ", "3 ").doesNotContain("1 ");

        kubectl.run("scale", "deployment/web", "--replicas=1");
        kubectl.run("wait", "deployment/web", "--for=jsonpath={.status.replicas}=1", "--timeout=120s");

        kubectl.run("create", "job", "sum", "--image=task");
        kubectl.run("wait", "job/sum", "--for=condition=complete", "--timeout=120s");
        assertThat(kubectl.run("get", "job", "sum")).contains("1/1");

        kubectl.run("delete", "job", "sum", "--cascade=foreground", "--timeout=120s");
        kubectl.run("delete", "deployment", "web", "--cascade=foreground", "--timeout=120s");
        assertThat(kubectl.run("get", "pods,replicasets,deployments,jobs")).contains("No resources found");

        console.requestEnd();
        assertThat(run.get()).isZero();
        assertThat(console.out())
                .anyMatch(line -> line.matches(TIME + "  deployments default/web: created 1 replicaset, .*, in \\d+ ms"))
                .anyMatch(line -> line.matches(TIME + "  replicasets default/web-\\S+: created 3 pods, .*"))
                .anyMatch(line -> line.matches(TIME + "  replicasets default/web-\\S+: deleted \\d pods?, .*"))
                .anyMatch(line -> line.matches(TIME + "  jobs default/sum: .*created 1 pod, .*"))
                .anyMatch(line -> line.matches(TIME + "  jobs default/sum: .*updated its status, .*"))
                .allMatch(line -> line.matches(
                        TIME + "  (deployments|replicasets|jobs) default/\\S+: (created|updated|patched|deleted|failed).*"))
                .noneMatch(line -> line.contains("\t"));
    }

    @Test
    void endsWhenItsTimeIsOver() {
        assertThat(console.run("controllers", "--duration", "1ms")).isZero();
        assertThat(console.err()).anyMatch(line -> line.startsWith("embedded server: http://"));
    }

    @Test
    void refusesAPortThatCannotBe() {
        assertThat(console.run("controllers", "--port", "70000")).isEqualTo(2);
        assertThat(console.err()).containsExactly("error: --port must be from 1 to 65535, was 70000");
    }
}
