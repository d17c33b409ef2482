package io.reactiveinformer.client;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.UnauthorizedException;
import io.reactiveinformer.resource.UnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Against recordings of a real server; {@link RecordedTransport} compares what is asked with what was asked there. */
class ResourceClientTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);
    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final ResourceType<V1Lease> LEASES = ResourceType.of(V1Lease.class);

    /** Recorded was JSON. */
    private static final ClientOptions JSON = ClientOptions.defaults().withWriteLimit(0, 1).withListsAtOnce(0).withProtobuf(false);

    private static <T> ResourceClient<T> over(RecordedTransport transport, ResourceType<T> type) {
        return KubernetesClient.over(transport, JSON).resources(type);
    }

    private static V1ConfigMap configMap(String name) {
        return new V1ConfigMap().metadata(new V1ObjectMeta().name(name)).putDataItem("k", "v");
    }

    private static <E extends StatusException> void fails(Publisher<?> call, Class<E> type, String message) {
        StepVerifier.create(call)
                .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(type).hasMessageContaining(message))
                .verify(LIMIT);
    }

    // ---- reading

    /** What a token stands for may not be said again beside it; "0" with a token would be refused. */
    @Test
    void listsPageByPageAsItIsAskedFor() {
        var transport = RecordedTransport.of("02-list-paged", 1, 2, 3);
        StepVerifier.create(over(transport, CONFIG_MAPS)
                                .listAll(Namespaces.of("t02"), ListOptions.defaults().withLimit(2))
                                .map(object -> object.getMetadata().getName()),
                        0)
                .thenRequest(2).expectNext("c0", "c1")
                .then(() -> assertThat(transport.requests()).as("the second page is not needed yet").hasSize(1))
                .thenRequest(1).expectNext("c2")
                .then(() -> assertThat(transport.requests()).hasSize(2))
                .thenRequest(10).expectNext("c3", "c4")
                .expectComplete().verify(LIMIT);
        transport.verifyPlayedToTheEnd();
    }

    /** What is read again and again is shared, where nobody may change it. */
    @Test
    void whatIsListedIsTheCallersOwn() {
        ResourceClient<V1ConfigMap> client = over(RecordedTransport.of("02-list-paged", 1, 1, 1), CONFIG_MAPS);
        for (int i = 0; i < 3; i++) {
            List<V1ConfigMap> listed = client.listAll(Namespaces.of("t02"), ListOptions.defaults().withLimit(2))
                    .take(2).collectList().block(LIMIT);
            assertThat(listed).hasSize(2).allSatisfy(object -> assertThat(object.getMetadata().getLabels()).isEmpty());
            listed.forEach(object -> object.getMetadata().setLabels(Map.of("said", "by its caller")));
        }
    }

    @Test
    void neverSendsAVersionBesideAToken() {
        var options = ListOptions.defaults().withLimit(500).withResourceVersion("0", ListOptions.Match.NOT_OLDER_THAN);
        assertThat(Queries.list(ResourcePath.of(PODS, Namespaces.all()), options))
                .hasToString("/api/v1/pods?limit=500&resourceVersion=0&resourceVersionMatch=NotOlderThan");
        assertThat(Queries.list(ResourcePath.of(PODS, Namespaces.all()), options.withContinue("t/==")))
                .hasToString("/api/v1/pods?limit=500&continue=t%2F%3D%3D");
        assertThat(Queries.watch(ResourcePath.of(PODS, Namespaces.of("a")), WatchOptions.streamingList(null, Duration.ofMillis(1500))))
                .hasToString("/api/v1/namespaces/a/pods?watch=true&timeoutSeconds=2&allowWatchBookmarks=true&sendInitialEvents=true"
                        + "&resourceVersionMatch=NotOlderThan");
    }

    @Test
    void asksForMetadataInTheFormOfEachVerb() {
        var transport = RecordedTransport.of("18-partial-object-metadata", 1, 3, 4);
        var names = ResourceType.metadata("", "v1", "configmaps");
        ResourceClient<PartialObjectMetadata> client = over(transport, names);
        StepVerifier.create(client.list(Namespaces.of("t18c"), ListOptions.defaults(), Reading.anew()).ofType(ObjectEvent.Applied.class))
                .expectNextCount(2).expectComplete().verify(LIMIT);
        StepVerifier.create(client.get(ObjectKey.of("t18c", "c0")))
                .assertNext(object -> assertThat(object.metadata().getName()).isEqualTo("c0"))
                .expectComplete().verify(LIMIT);
        var options = new WatchOptions(Selector.any(), "811", Duration.ofSeconds(60), false, false);
        StepVerifier.create(client.watch(Namespaces.of("t18c"), options, Reading.anew()).map(ResourceClientTest::kind))
                .expectNext("Opened", "Added", "Deleted").expectComplete().verify(LIMIT);
        transport.verifyPlayedToTheEnd();
    }

    private static String kind(ObjectEvent<?> event) {
        return event instanceof ObjectEvent.Applied<?> applied
                ? applied.modified() ? "Modified" : "Added" : event.getClass().getSimpleName();
    }

    @Test
    void sendsSelectorsEncoded() {
        var transport = RecordedTransport.of("17-selectors", 1, 3, 4, 5);
        ResourceClient<V1Pod> client = over(transport, PODS);
        Namespaces part = Namespaces.of("t17b");
        for (Selector selector : List.of(
                Selector.labels("tier=fe"),
                Selector.fields("status.phase=Pending"),
                Selector.fields("spec.nodeName="))) {
            StepVerifier.create(client.list(part, ListOptions.defaults().withSelector(selector), Reading.anew()).last())
                    .expectNextMatches(ObjectEvent.PageEnd.class::isInstance).expectComplete().verify(LIMIT);
        }
        fails(client.list(part, ListOptions.defaults().withSelector(Selector.fields("spec.foo=x")), Reading.anew()),
                InvalidRequestException.class, "400 BadRequest: cannot list pods.v1 in namespace t17b: ");
        transport.verifyPlayedToTheEnd();
    }

    // ---- refusals

    @Test
    void aWrongTokenIsUnauthorized() {
        var transport = RecordedTransport.of("13-unauthorized", 1, 2, 3);
        ResourceClient<V1Pod> client = over(transport, PODS);
        fails(client.list(Namespaces.all(), ListOptions.defaults(), Reading.anew()), UnauthorizedException.class,
                "401 Unauthorized: cannot list pods.v1 in all namespaces: Unauthorized");
        fails(client.watch(Namespaces.all(), new WatchOptions(Selector.any(), null, Duration.ofSeconds(60), false, false), Reading.anew()),
                UnauthorizedException.class, "401 Unauthorized: cannot watch pods.v1 in all namespaces");
        fails(client.list(Namespaces.all(), ListOptions.defaults(), Reading.anew()), ForbiddenException.class,
                "403 Forbidden: cannot list pods.v1 in all namespaces: pods is forbidden: User \"system:anonymous\" cannot list");
    }

    @Test
    void whatMayNotBeDoneIsForbidden() {
        var transport = RecordedTransport.of("14-forbidden", 1, 3, 4, 5, 6, 7);
        fails(over(transport, PODS).list(Namespaces.all(), ListOptions.defaults(), Reading.anew()),
                ForbiddenException.class, "403 Forbidden: cannot list");
        ResourceClient<V1ConfigMap> client = over(transport, CONFIG_MAPS);
        Namespaces part = Namespaces.of("t11");
        fails(client.watch(part, new WatchOptions(Selector.any(), null, Duration.ofSeconds(60), false, false), Reading.anew()),
                ForbiddenException.class, "403 Forbidden: cannot watch configmaps.v1 in namespace t11: ");
        fails(client.watch(part, WatchOptions.streamingList(null, Duration.ofSeconds(60)), Reading.anew()),
                ForbiddenException.class, "cannot watch");
        fails(client.get(ObjectKey.of("t11", "c0")), ForbiddenException.class, "403 Forbidden: cannot get configmaps.v1 t11/c0: ");
        fails(over(transport, ResourceType.dynamic("", "v1", "nodes")).list(Namespaces.all(), ListOptions.defaults(), Reading.anew()),
                ForbiddenException.class, "cannot list nodes.v1");
        fails(over(transport, ResourceType.dynamic("no.such.group", "v1", "things"))
                .list(Namespaces.all(), ListOptions.defaults(), Reading.anew()),
                ForbiddenException.class, "cannot list things.v1.no.such.group");
        transport.verifyPlayedToTheEnd();
    }

    @Test
    void whatIsNotThereIsNotFoundWhateverTheBody() {
        var transport = RecordedTransport.of("15-not-found", 1, 2, 3, 4, 5, 7);
        for (ResourceType<JsonNode> type : List.of(
                ResourceType.dynamic("", "v1", "nosuchthings"),
                ResourceType.dynamic("no.such.group", "v1", "things"),
                ResourceType.dynamic("apps", "v9", "deployments"))) {
            fails(over(transport, type).list(Namespaces.all(), ListOptions.defaults(), Reading.anew()), NotFoundException.class,
                    "cannot list " + type + " in all namespaces: ");
        }
        var open = new WatchOptions(Selector.any(), null, Duration.ofSeconds(60), false, false);
        fails(over(transport, ResourceType.dynamic("apps", "v1", "nosuch")).watch(Namespaces.all(), open, Reading.anew()),
                NotFoundException.class, "cannot watch nosuch.v1.apps");
        fails(over(transport, CONFIG_MAPS).get(ObjectKey.of("t11", "nope")), NotFoundException.class,
                "404 NotFound: cannot get configmaps.v1 t11/nope: configmaps \"nope\" not found");
        fails(over(transport, ResourceType.dynamic("", "v1", "componentstatuses")).watch(Namespaces.all(), open, Reading.anew()),
                InvalidRequestException.class, "405 MethodNotAllowed: cannot watch componentstatuses.v1");
        transport.verifyPlayedToTheEnd();
    }

    @Test
    void tooManyRequestsSayWhenToComeBack() {
        var transport = RecordedTransport.of("16-too-many-requests", 1);
        StepVerifier.create(over(transport, CONFIG_MAPS).list(Namespaces.of("t16"), ListOptions.defaults(), Reading.anew()))
                .expectErrorSatisfies(failure -> {
                    assertThat(failure).isInstanceOf(UnavailableException.class).hasMessageStartingWith("429");
                    assertThat(((StatusException) failure).retryAfter()).contains(Duration.ofSeconds(1));
                })
                .verify(LIMIT);
    }

    // ---- writing

    @Test
    void createsUpdatesAndMeetsConflicts() {
        var transport = RecordedTransport.of("23-writes", 1, 2, 3, 4, 5, 6, 12, 14);
        ResourceClient<V1ConfigMap> client = over(transport, CONFIG_MAPS);
        Namespaces part = Namespaces.of("t23");
        var labelled = configMap("a");
        labelled.getMetadata().putLabelsItem("x", "1");
        StepVerifier.create(client.create(part, labelled))
                .assertNext(made -> {
                    assertThat(made.getMetadata().getResourceVersion()).isNotEmpty();
                    assertThat(made.getData()).containsEntry("k", "v");
                })
                .expectComplete().verify(LIMIT);
        fails(client.create(part, configMap("a")), ConflictException.class,
                "409 AlreadyExists: cannot create configmaps.v1 in namespace t23: configmaps \"a\" already exists");
        StepVerifier.create(client.create(part, new V1ConfigMap().metadata(new V1ObjectMeta().generateName("gen-"))))
                .assertNext(made -> assertThat(made.getMetadata().getName()).startsWith("gen-"))
                .expectComplete().verify(LIMIT);
        fails(client.create(Namespaces.of("nope"), configMap("a")), NotFoundException.class, "namespaces \"nope\" not found");
        StepVerifier.create(client.create(part, configMap("dry"), WriteOptions.defaults().withDryRun()))
                .assertNext(made -> assertThat(made.getMetadata().getResourceVersion()).isNull())
                .expectComplete().verify(LIMIT);
        fails(client.create(part, configMap("Bad_Name")), InvalidRequestException.class, "422 Invalid: cannot create configmaps.v1");
        var changed = configMap("a").putDataItem("k", "v3");
        StepVerifier.create(client.update(ObjectKey.of("t23", "a"), changed))
                .assertNext(now -> assertThat(now.getData()).containsEntry("k", "v3"))
                .expectComplete().verify(LIMIT);
        fails(client.update(ObjectKey.of("t23", "nope"), configMap("nope")), NotFoundException.class,
                "cannot update configmaps.v1 t23/nope");
        transport.verifyPlayedToTheEnd();
    }

    @Test
    void patchesInEveryWay() {
        var transport = RecordedTransport.of("23-writes", 15, 16, 17, 18, 19);
        ResourceClient<V1ConfigMap> client = over(transport, CONFIG_MAPS);
        ObjectKey a = ObjectKey.of("t23", "a");
        var removing = JsonMapper.shared().readTree("{\"data\":{\"m\":\"1\",\"k\":null}}");
        StepVerifier.create(client.patch(a, Patch.merge(removing)))
                .assertNext(now -> assertThat(now.getData()).containsEntry("m", "1").doesNotContainKey("k"))
                .expectComplete().verify(LIMIT);
        fails(client.patch(a, Patch.merge(Map.of("metadata", Map.of("resourceVersion", "1"), "data", Map.of("m", "2")))),
                ConflictException.class, "409 Conflict: cannot patch configmaps.v1 t23/a");
        StepVerifier.create(client.patch(a, Patch.json(List.of(
                        Map.of("op", "test", "path", "/data/m", "value", "1"), Map.of("op", "add", "path", "/data/j", "value", "1")))))
                .assertNext(now -> assertThat(now.getData()).containsEntry("j", "1"))
                .expectComplete().verify(LIMIT);
        fails(client.patch(a, Patch.json(List.of(Map.of("op", "test", "path", "/data/m", "value", "9")))),
                InvalidRequestException.class, "422");
        StepVerifier.create(client.patch(a, Patch.strategic(new V1ConfigMap().putDataItem("s", "1"))))
                .assertNext(now -> assertThat(now.getData()).containsEntry("s", "1"))
                .expectComplete().verify(LIMIT);
        transport.verifyPlayedToTheEnd();
    }

    @Test
    void appliesAsAFieldManager() {
        var transport = RecordedTransport.of("23-writes", 20, 21, 22);
        ResourceClient<V1ConfigMap> client = over(transport, CONFIG_MAPS);
        var applied = new V1ConfigMap().metadata(new V1ObjectMeta().name("a")).putDataItem("m", "applied");
        fails(client.apply(ObjectKey.of("t23", "a"), applied, WriteOptions.defaults().withFieldManager("me")), ConflictException.class,
                "409 Conflict: cannot apply configmaps.v1 t23/a");
        StepVerifier.create(client.apply(ObjectKey.of("t23", "a"), applied, WriteOptions.defaults().withFieldManager("me").withForce()))
                .assertNext(now -> assertThat(now.getData()).containsEntry("m", "applied"))
                .expectComplete().verify(LIMIT);
        var fresh = new V1ConfigMap().metadata(new V1ObjectMeta().name("fresh")).putDataItem("m", "applied");
        StepVerifier.create(client.apply(ObjectKey.of("t23", "fresh"), fresh, WriteOptions.defaults().withFieldManager("me")))
                .expectNextCount(1).expectComplete().verify(LIMIT);
        StepVerifier.create(client.apply(ObjectKey.of("t23", "a"), applied, WriteOptions.defaults()))
                .expectErrorMessage("server-side apply needs withFieldManager(\"name-of-the-controller\")").verify(LIMIT);
        transport.verifyPlayedToTheEnd();
    }

    @Test
    void deletesWithAndWithoutPreconditions() {
        var transport = RecordedTransport.of("23-writes", 24, 25, 26, 27, 29, 36);
        ResourceClient<V1ConfigMap> client = over(transport, CONFIG_MAPS);
        ObjectKey a = ObjectKey.of("t23", "a");
        fails(client.delete(a, DeleteOptions.defaults().withResourceVersion("1")), ConflictException.class,
                "409 Conflict: cannot delete configmaps.v1 t23/a");
        StepVerifier.create(client.delete(a, DeleteOptions.defaults().withDryRun())).expectComplete().verify(LIMIT);
        StepVerifier.create(client.delete(a)).expectComplete().verify(LIMIT);
        fails(client.delete(a), NotFoundException.class, "404 NotFound: cannot delete configmaps.v1 t23/a");
        StepVerifier.create(client.deleteAll(Namespaces.of("t23"), ListOptions.defaults(), DeleteOptions.defaults()))
                .expectComplete().verify(LIMIT);
        StepVerifier.create(over(transport, PODS).delete(ObjectKey.of("t23", "p"))).expectComplete().verify(LIMIT);
        transport.verifyPlayedToTheEnd();
    }

    @Test
    void writesTheStatusByItself() {
        var transport = RecordedTransport.of("23-writes", 31);
        var status = Map.of("status", Map.of("phase", "Running", "conditions", List.of(Map.of("type", "Ready", "status", "True"))));
        StepVerifier.create(over(transport, PODS).status().patch(ObjectKey.of("t23", "p"), Patch.strategic(status)))
                .assertNext(pod -> assertThat(pod.getStatus().getPhase()).isEqualTo("Running"))
                .expectComplete().verify(LIMIT);
    }

    @Test
    void aPartOfAnObjectIsNotWrittenInPlaceOfTheWhole() {
        var transport = RecordedTransport.of("23-writes");
        var names = ResourceType.metadata("", "v1", "configmaps");
        StepVerifier.create(over(transport, names)
                .update(ObjectKey.of("t23", "a"), new PartialObjectMetadata("v1", "ConfigMap", new V1ObjectMeta())))
                .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("must not be written in place of the whole"))
                .verify(LIMIT);
    }

    @Test
    void aLeaseIsTakenByTheClientThatHasItsCurrentVersion() {
        var transport = RecordedTransport.of("30-leases", 1);
        fails(over(transport, LEASES).get(ObjectKey.of("t30b", "lock")), NotFoundException.class,
                "404 NotFound: cannot get leases.v1.coordination.k8s.io t30b/lock");
    }

    // ---- paths

    @ParameterizedTest
    @CsvSource({"a/b", "..", "'a%2fb'", "."})
    void aNameThatWouldLeadElsewhereIsRefused(String name) {
        StepVerifier.create(over(RecordedTransport.of("23-writes"), CONFIG_MAPS).delete(ObjectKey.of("t23", name)))
                .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("a name must not"))
                .verify(LIMIT);
    }

    @Test
    void opensAWatchBeforeItsFirstEvent() {
        var transport = RecordedTransport.of("05-watch-events", 1);
        assertThat(transport.requests()).isEmpty();
        StepVerifier.create(over(transport, CONFIG_MAPS).watch(Namespaces.of("t05"),
                new WatchOptions(Selector.any(), "268", Duration.ofSeconds(60), false, false), Reading.anew()), 1)
                .expectNextMatches(ObjectEvent.Opened.class::isInstance)
                .thenCancel()
                .verify(LIMIT);
    }

    /** Old servers, and what stands before a server, refuse so. */
    @Test
    void aRefusalThatComesAsASuccessIsARefusal() {
        String gone = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"too "
                + "old\",\"reason\":\"Expired\",\"code\":410}";
        ResourceClient<V1ConfigMap> client = KubernetesClient.over(
                        new ScriptedTransport().then(200, gone, "Content-Type", "application/json", "Retry-After", "7"))
                .resources(CONFIG_MAPS);
        for (Publisher<?> call : List.of(
                client.list(Namespaces.all(), ListOptions.defaults(), Reading.anew()),
                client.listAll(Namespaces.all(), ListOptions.defaults()),
                client.watch(Namespaces.all(), WatchOptions.from("5", LIMIT), Reading.anew()),
                client.get(ObjectKey.of("shop", "a")))) {
            StepVerifier.create(Flux.from(call).ignoreElements())
                    .expectErrorSatisfies(failure -> assertThat(failure)
                            .isInstanceOfSatisfying(ResourceVersionExpiredException.class, expired -> {
                                assertThat(expired).hasMessageMatching("410 Expired: cannot [a-z]+ configmaps.v1 .*: too old");
                                assertThat(expired.retryAfter()).contains(Duration.ofSeconds(7));
                            }))
                    .verify(LIMIT);
        }
    }

    /** The token is not read, or there is always another one. */
    @Test
    void aListWithoutAnEndFails() {
        String page = "{\"kind\":\"ConfigMapList\",\"metadata\":{\"resourceVersion\":\"5\",\"continue\":\"%s\"},\"items\":[]}";
        var same = new ScriptedTransport().then(200, page.formatted("c1"), "Content-Type", "application/json");
        StepVerifier.create(KubernetesClient.over(same).resources(CONFIG_MAPS).listAll(Namespaces.all(), ListOptions.defaults()))
                .expectErrorMessage(
                        "cannot list configmaps.v1 in all namespaces: a continue token came twice, so the server does not read it")
                .verify(LIMIT);
        assertThat(same.requests()).hasSize(2);
        var fresh = new ScriptedTransport();
        for (int i = 0; i < 101; i++) {
            fresh.then(200, page.formatted("c" + i), "Content-Type", "application/json");
        }
        StepVerifier.create(KubernetesClient.over(fresh).resources(CONFIG_MAPS).listAll(Namespaces.all(), ListOptions.defaults()))
                .expectErrorMessage(
                        "cannot list configmaps.v1 in all namespaces: 100 pages in a row brought nothing new, and there is to be another")
                .verify(LIMIT);
        assertThat(fresh.requests()).hasSize(100);
    }
}
