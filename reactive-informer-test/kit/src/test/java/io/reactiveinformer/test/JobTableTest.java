package io.reactiveinformer.test;

import io.reactiveinformer.transport.HttpRequest.Headers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JobTableTest {

    private final FakeApiServer server = FakeApiServer.create();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aRowShowsWhatEndedTheJobAndHowLongItTook() {
        server.objects().create("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: sum}
                spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: x}]}}}
                status:
                  startTime: "2026-11-21T20:00:00Z"
                  completionTime: "2026-11-21T20:00:07Z"
                  conditions: [{type: SuccessCriteriaMet, status: "True"}, {type: Complete, status: "True"}]
                """);
        Headers table = Headers.of("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
        assertThat(requests.send("GET", "/apis/batch/v1/namespaces/default/jobs", table, "").json().at("/rows/0/cells").toString())
                .startsWith("[\"sum\",\"Complete\",").contains("\"7s\"");
    }
}
