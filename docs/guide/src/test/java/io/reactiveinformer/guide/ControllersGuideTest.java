package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.client.DeleteOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.controller.Conditions;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.ControllerManager;
import io.reactiveinformer.controller.Dependents;
import io.reactiveinformer.controller.ManagerOptions;
import io.reactiveinformer.controller.Owner;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.controller.Reconciler;
import io.reactiveinformer.controller.UpdateFilter;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.Change;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;
import reactor.core.publisher.Mono;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The snippets of docs/guide/controllers.md, against a server. */
@Timeout(60)
class ControllersGuideTest {

    private static final Duration PATIENCE = ofSeconds(30);
    private static final ResourceType<V1Deployment> DEPLOYMENTS = ResourceType.of(V1Deployment.class);
    private static final ResourceType<V1ConfigMap> NOTES = ResourceType.of(V1ConfigMap.class);
    private static final ResourceType<V1Service> SERVICES = ResourceType.of(V1Service.class);

    private final FakeApiServer server = FakeApiServer.create();
    private final KubernetesClient client = KubernetesClient.over(server.transport());
    private final InformerFactory informers = InformerFactory.create(client);
    private final Informer<V1Deployment> deployments = informers.of(DEPLOYMENTS);
    private final Informer<V1ConfigMap> notes = informers.of(NOTES);
    private final Informer<V1Service> services = informers.of(SERVICES);
    private final ResourceClient<V1ConfigMap> writer = client.resources(NOTES);
    private final Queue<String> logged = new ConcurrentLinkedQueue<>();

    @AfterEach
    void end() {
        informers.close();
        client.close();
        server.close();
    }

    private Controller<ObjectKey> notesOfDeployments() {
        return Controller.named("notes")
                .reconciles(DEPLOYMENTS, deployments, UpdateFilter.generation())
                .owns(notes)
                .reconcile(request -> deployments.lister().get(request.key())
                        .map(deployment -> note(request, deployment))
                        .orElse(Mono.empty()));                                 // gone: the garbage collector takes its note
    }

    private Mono<Result> note(ReconcileRequest<ObjectKey> request, V1Deployment deployment) {
        logged.add(MDC.get(ReconcileRequest.KEY) + " " + MDC.get(ReconcileRequest.CONTROLLER));
        if (!notes.lister().inNamespace("shop").list(note -> isOwnedBy(note, deployment)).isEmpty()) {
            return Mono.just(Result.done());
        }
        return writer.create(Namespaces.of("shop"), noteOf(deployment))
                .doOnNext(request.wrote(notes))                                 // the key is not looked at again before the cache has it
                .thenReturn(Result.again(Duration.ZERO));
    }

    private static boolean isOwnedBy(V1ConfigMap note, V1Deployment deployment) {
        return Owner.of(deployment).controls(note);
    }

    private static V1ConfigMap noteOf(V1Deployment deployment) {
        return Owner.of(deployment).own(new V1ConfigMap()
                .metadata(new V1ObjectMeta().namespace("shop").generateName(deployment.getMetadata().getName() + "-"))
                .data(Map.of("replicas", "" + deployment.getSpec().getReplicas())));
    }

    private Controller<ObjectKey> access() {
        Dependents<V1Deployment> dependents = Dependents
                .of(client, DEPLOYMENTS, deployment -> List.of(settings(deployment), service(deployment)))
                .kind(NOTES, notes)
                .kind(SERVICES, services)
                .waitFor(NOTES, settings -> settings.getData().containsKey("checked"));     // the service is made after that
        return Controller.named("access")
                .reconciles(DEPLOYMENTS, deployments, UpdateFilter.generation())
                .owns(notes)
                .owns(services)
                .reconcile(request -> deployments.lister().get(request.key())
                        .map(deployment -> dependents.reconcile(request, deployment).map(Dependents.Report::result))
                        .orElse(Mono.empty()));
    }

    private static V1ConfigMap settings(V1Deployment deployment) {
        return new V1ConfigMap()
                .metadata(new V1ObjectMeta().name(deployment.getMetadata().getName()))
                .data(Map.of("replicas", "" + deployment.getSpec().getReplicas()));
    }

    private static V1Service service(V1Deployment deployment) {
        return new V1Service()
                .metadata(new V1ObjectMeta().name(deployment.getMetadata().getName()))
                .spec(new V1ServiceSpec().addPortsItem(new V1ServicePort().port(80)));
    }

    @Test
    void dependentsAreMadeInOrderAndRepaired() {
        ObjectKey key = ObjectKey.of("shop", "web");
        create("web");
        Controller<ObjectKey> controller = access();
        informers.start();
        controller.start();
        notes.await(key, note -> true).block(PATIENCE);
        assertThat(server.objects().get(SERVICES, key)).as("not before the settings were checked").isEmpty();
        server.objects().edit(NOTES, key, note -> {
            note.withObject("data").put("checked", "yes");
            return note;
        });
        services.await(key, service -> true).block(PATIENCE);
        server.objects().edit(NOTES, key, note -> {
            note.withObject("data").put("replicas", "7");
            return note;
        });
        notes.await(key, note -> note.getData().get("replicas").equals("1")).block(PATIENCE);
        assertThat(notes.lister().get(key).orElseThrow().getData()).as("another's field stays").containsEntry("checked", "yes");
        controller.close();
    }

    @Test
    void aReconcilerMayBlock() {
        create("web");
        Controller<ObjectKey> controller = Controller.named("reports")
                .reconciles(DEPLOYMENTS, deployments)
                .reconcile(Reconciler.blocking(request -> {
                    Thread.sleep(10);                                           // or any call that waits
                    logged.add(request.key().name());
                    return Result.done();
                }));
        Mono<Controller.Reconciled<ObjectKey>> first = controller.results().next().cache();
        first.subscribe();
        informers.start();
        controller.start();
        assertThat(first.block(PATIENCE).result()).isEqualTo(Result.done());
        assertThat(logged).containsExactly("web");
        controller.close();
    }

    @Test
    void aConditionThatIsTheSameIsNotChanged() {
        List<V1Condition> before = Conditions.of(null, 3L)
                .with("Ready", "True", "Published", "the page is served")
                .list();
        assertThat(Conditions.of(before, 3L).with("Ready", "True", "Published", "the page is served").list()).isEqualTo(before);
    }

    private void create(String name) {
        server.objects().create("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: %s, namespace: shop}
                spec: {replicas: 1, selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, \
                spec: {containers: [{name: a, image: a}]}}}
                """.formatted(name));
    }

    private long creations() {
        return server.requests().writes().stream().filter(request -> request.verb() == Verb.CREATE).count();
    }

    @Test
    void aDeploymentIsGivenItsNote() {
        create("web");                                                      // server.objects().create("…")
        Controller<ObjectKey> controller = notesOfDeployments();
        informers.start();
        controller.start();
        server.requests().await(request -> request.verb() == Verb.CREATE, PATIENCE).block();

        controller.drain(Duration.ofSeconds(5)).block();                    // running work ends, and no more begins
        server.requests().verifyWrites("create configmaps in shop");        // exactly this
        assertThat(server.objects().list(NOTES)).singleElement()
                .satisfies(note -> assertThat(note.at("/data/replicas").asString()).isEqualTo("1"));
    }

    @Test // 113, 122
    void nothingIsMadeTwiceThoughTheCacheIsBehind() {
        for (int i = 0; i < 20; i++) {
            create("web-" + i);
        }
        Controller<ObjectKey> controller = notesOfDeployments();
        Mono<List<ObjectKey>> done = controller.results().filter(one -> one.result().equals(Result.done())).map(one -> one.request().key())
                .distinct().take(20).collectList().cache();
        done.subscribe();
        informers.start();
        informers.synced().block(PATIENCE);
        controller.start();
        assertThat(done.block(PATIENCE)).hasSize(20);
        assertThat(creations()).isEqualTo(20);
        assertThat(logged).contains("shop/web-7 notes");
        assertThat(MDC.get(ReconcileRequest.KEY)).isNull();
        controller.drain(ofSeconds(5)).block(PATIENCE);
    }

    @Test // 116
    void whatSomeoneDeletesIsMadeAgain() {
        create("web");
        ControllerManager manager = ControllerManager.create(informers, ManagerOptions.defaults().withControllers("*", "-audit"))
                .register("notes", this::notesOfDeployments)
                .register("audit", () -> {
                    throw new AssertionError("not enabled");
                });
        manager.start();
        server.requests().await(request -> request.verb() == Verb.CREATE, PATIENCE).block();
        ObjectKey note = deployed();
        server.requests().clear();
        server.objects().delete(NOTES, note);
        server.requests().await(request -> request.verb() == Verb.CREATE, PATIENCE).block();
        assertThat(manager.healthy()).isTrue();
        manager.stop(ofSeconds(5)).block(PATIENCE);
    }

    private ObjectKey deployed() {
        return notes.changes().ofType(Change.Added.class).map(added -> (ObjectKey) added.key()).blockFirst(PATIENCE);
    }

    private Mono<Void> remove(ReconcileRequest<ObjectKey> request, V1ConfigMap note) {
        return writer.getUnchanged(note)
                .flatMap(live -> wipe(live.getMetadata().getUid()))
                .then(writer.delete(request.key(), DeleteOptions.defaults()
                        .withUid(note.getMetadata().getUid())
                        .withResourceVersion(note.getMetadata().getResourceVersion())));
    }

    private Mono<Void> wipe(String uid) {
        return Mono.fromRunnable(() -> logged.add("wiped " + uid));
    }

    @Test
    void nothingIsWipedForWhatTheCacheDoesNotKnow() {
        ObjectKey key = ObjectKey.of("shop", "home");
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: home, namespace: shop}}");
        V1ConfigMap note = writer.get(key).block(PATIENCE);
        server.objects().edit(NOTES, key, tree -> tree.put("immutable", true));
        assertThatThrownBy(() -> remove(ReconcileRequest.of("notes", key), note).block(PATIENCE)).isInstanceOf(ConflictException.class);
        assertThat(logged).isEmpty();
        remove(ReconcileRequest.of("notes", key), writer.get(key).block(PATIENCE)).block(PATIENCE);
        assertThat(logged).containsExactly("wiped " + note.getMetadata().getUid());
        assertThat(server.objects().get(NOTES, key)).isEmpty();
    }
}
