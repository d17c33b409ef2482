package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.OnDemandScheduler;
import io.reactiveinformer.apiserver.Backup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A cascade is many writes: between them others read, write, save and restore. */
class CascadesTest {

    private static final int DEPENDENTS = 4;

    private final OnDemandScheduler scheduler = new OnDemandScheduler();
    private final Cluster cluster = new Cluster(100, () -> Instant.EPOCH, 1);
    private final Writes writes = cluster.open(scheduler, Duration.ZERO, Duration.ZERO);
    private final ResourceDefinition configMaps = cluster.types().find("", "configmaps").orElseThrow();
    private final ResourceDefinition secrets = cluster.types().find("", "secrets").orElseThrow();
    private final List<Integer> left = new ArrayList<>();

    @BeforeEach
    void create() {
        StoredObject owner = writes.create(configMaps, "t", named("owner"), WriteOptions.TRUSTED).object();
        for (int i = 0; i < DEPENDENTS; i++) {
            ObjectNode dependent = named("dependent-" + i);
            dependent.withObject("/metadata").putArray("ownerReferences").addObject()
                    .put("apiVersion", "v1").put("kind", "ConfigMap").put("name", "owner")
                    .put("uid", owner.uid()).put("blockOwnerDeletion", true);
            writes.create(secrets, "t", dependent, WriteOptions.TRUSTED);
        }
    }

    private static ObjectNode named(String name) {
        ObjectNode object = Json.object();
        object.putObject("metadata").put("name", name);
        return object;
    }

    private int left(Cluster there) {
        return there.list(secrets, Selection.all(), null).objects().size();
    }

    /** @param deed what another client does when it receives that the first dependent is gone */
    private void delete(String propagation, Runnable deed) {
        cluster.follow(secrets, Selection.all(), cluster.version(), () -> {
            left.add(left(cluster));
            if (left.size() == 1) {
                deed.run();
            }
        });
        writes.delete(configMaps, "t", "owner", new DeleteOptions(false, null, propagation, "", ""));
        scheduler.runAll();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Background", "Foreground"})
    void othersSeeEachDependentGo(String propagation) {
        delete(propagation, () -> { });
        assertThat(left).containsExactly(3, 2, 1, 0);
        assertThat(cluster.get(configMaps, "t", "owner")).isNull();
    }

    @Test
    void othersSeeEachDependentLetGo() {
        delete("Orphan", () -> { });
        assertThat(left).containsExactly(4, 4, 4, 4);
        assertThat(cluster.get(configMaps, "t", "owner")).isNull();
    }

    @Test
    void othersSeeANamespaceBecomeEmpty() {
        cluster.follow(secrets, Selection.all(), cluster.version(), () -> left.add(left(cluster)));
        writes.delete(cluster.types().find("", "namespaces").orElseThrow(), null, "t", DeleteOptions.DEFAULT);
        scheduler.runAll();
        assertThat(left).containsExactly(3, 2, 1, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Background", "Foreground", "Orphan"})
    void aRestoreInItsMidstEndsIt(String propagation) {
        Backup before = cluster.backup();
        delete(propagation, () -> cluster.restore(before));
        assertThat(cluster.list(secrets, Selection.all(), null).objects()).hasSize(DEPENDENTS)
                .allMatch(dependent -> dependent.owners().size() == 1);
        assertThat(cluster.get(configMaps, "t", "owner")).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Background", "Foreground"})
    void aBackupInItsMidstGoesOnWhereItIsRestored(String propagation) {
        var other = new Cluster(100, () -> Instant.EPOCH, 2);
        other.open(scheduler, Duration.ZERO, Duration.ZERO);
        delete(propagation, () -> other.restore(cluster.backup()));
        assertThat(left(other)).isZero();
        assertThat(other.get(configMaps, "t", "owner")).isNull();
    }

    private void ownedBy(String name, String... owners) {
        ObjectNode object = named(name);
        var references = object.withObject("/metadata").putArray("ownerReferences");
        for (String owner : owners) {
            references.addObject().put("apiVersion", "v1").put("kind", "ConfigMap").put("name", owner)
                    .put("uid", cluster.get(configMaps, "t", owner).uid()).put("blockOwnerDeletion", true);
        }
        writes.create(secrets, "t", object, WriteOptions.TRUSTED);
    }

    private void deleteOwner(String name, String propagation) {
        writes.delete(configMaps, "t", name, new DeleteOptions(false, null, propagation, "", ""));
        scheduler.runAll();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Background", "Foreground"})
    void anObjectOfTwoOwnersGoesWithTheLast(String propagation) {
        writes.create(configMaps, "t", named("other"), WriteOptions.TRUSTED);
        ownedBy("shared", "owner", "other");
        deleteOwner("owner", propagation);
        assertThat(cluster.get(configMaps, "t", "owner")).isNull();
        assertThat(left(cluster)).isEqualTo(1);
        assertThat(cluster.get(secrets, "t", "shared").owners()).extracting(StoredObject.Owner::uid)
                .containsExactly(cluster.get(configMaps, "t", "other").uid());
        deleteOwner("other", propagation);
        assertThat(left(cluster)).isZero();
    }

    @Test
    void anObjectOfTwoOwnersThatGoTogetherGoesWithThem() {
        writes.create(configMaps, "t", named("other"), WriteOptions.TRUSTED);
        ownedBy("shared", "owner", "other");
        writes.delete(configMaps, "t", "other", DeleteOptions.DEFAULT);
        deleteOwner("owner", "Background");
        assertThat(left(cluster)).isZero();
    }

    @Test
    void anObjectThatComesAfterItsOwnersEndGoesToo() {
        writes.create(configMaps, "t", named("brief"), WriteOptions.TRUSTED);
        ObjectNode late = named("late");
        late.withObject("/metadata").putArray("ownerReferences").addObject()
                .put("apiVersion", "v1").put("kind", "ConfigMap").put("name", "brief")
                .put("uid", cluster.get(configMaps, "t", "brief").uid());
        deleteOwner("brief", "Background");
        writes.create(secrets, "t", late, WriteOptions.TRUSTED);
        scheduler.runAll();
        assertThat(cluster.get(secrets, "t", "late")).isNull();
    }

    private StoredObject namespace() {
        return cluster.get(cluster.types().find("", "namespaces").orElseThrow(), null, "t");
    }

    private static ObjectNode withFinalizers(ObjectNode object, String... finalizers) {
        var list = object.withObject("/metadata").putArray("finalizers");
        List.of(finalizers).forEach(list::add);
        return object;
    }

    /** Transcript 36, exchanges 5 to 8. */
    @Test
    void aNamespaceWaitsForTheFinalizersOfItsObjectsAndSaysSo() {
        writes.create(configMaps, "t", withFinalizers(named("kept"), "example.com/x"), WriteOptions.TRUSTED);
        ResourceDefinition namespaces = namespace().type();
        writes.delete(namespaces, null, "t", DeleteOptions.DEFAULT);
        scheduler.runAll();

        assertThat(left(cluster)).isZero();
        assertThat(conditions()).containsExactly(
                "NamespaceDeletionDiscoveryFailure False ResourcesDiscovered: All resources successfully discovered",
                "NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions: All legacy kube types successfully parsed",
                "NamespaceDeletionContentFailure False ContentDeleted: All content successfully deleted, may be waiting on finalization",
                "NamespaceContentRemaining True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances",
                "NamespaceFinalizersRemaining True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: "
                        + "example.com/x in 1 resource instances");
        assertThatThrownBy(() -> writes.create(configMaps, "t", named("late"), WriteOptions.by("me")))
                .hasMessageContaining("being terminated");

        writes.update(Writes.Target.of(namespaces, null, "t"), tree -> {
            tree.withObject("/metadata/labels").put("a", "b");
            tree.withObject("/spec").remove("finalizers");
            return tree;
        }, WriteOptions.by("me"));
        scheduler.runAll();
        assertThat(namespace()).as("kept by its spec's finalizers, which only its subresource changes").isNotNull();

        writes.update(Writes.Target.of(configMaps, "t", "kept"), CascadesTest::withFinalizers, WriteOptions.TRUSTED);
        scheduler.runAll();
        assertThat(namespace()).isNull();
    }

    private List<String> conditions() {
        List<String> conditions = new ArrayList<>();
        namespace().tree().at("/status/conditions").forEach(condition -> conditions.add(
                Json.text(condition, "type") + " " + Json.text(condition, "status") + " " + Json.text(condition, "reason")
                        + ": " + Json.text(condition, "message")));
        return conditions;
    }

    /** By who received of the end of the one before. */
    @Test
    void aNamespaceOfTheSameNameKeepsItsObjects() {
        ResourceDefinition namespaces = namespace().type();
        cluster.follow(namespaces, Selection.all(), cluster.version(), () -> {
            if (namespace() == null) {
                writes.create(namespaces, null, named("t"), WriteOptions.TRUSTED);
                writes.create(secrets, "t", named("new"), WriteOptions.TRUSTED);
            }
        });
        writes.delete(namespaces, null, "t", DeleteOptions.DEFAULT);
        scheduler.runAll();
        assertThat(cluster.get(secrets, "t", "new")).isNotNull();
    }

    @Test
    void aDependentThatComesInItsMidstGoesToo() {
        String owner = cluster.get(configMaps, "t", "owner").uid();
        delete("Background", () -> {
            ObjectNode late = named("late");
            late.withObject("/metadata").putArray("ownerReferences").addObject()
                    .put("apiVersion", "v1").put("kind", "ConfigMap").put("name", "owner").put("uid", owner);
            writes.create(secrets, "t", late, WriteOptions.TRUSTED);
        });
        assertThat(left(cluster)).isZero();
    }

    @Test
    void theOwnedOfACustomTypeGoWithIt() {
        ResourceDefinition definitions = cluster.types().find("apiextensions.k8s.io", "customresourcedefinitions").orElseThrow();
        writes.create(definitions, null, (ObjectNode) YamlText.read("""
                metadata: {name: widgets.example.com}
                spec:
                  group: example.com
                  names: {plural: widgets, kind: Widget}
                  scope: Namespaced
                  versions:
                  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
                """).get(0), WriteOptions.TRUSTED);
        ResourceDefinition widgets = cluster.types().find("example.com", "widgets").orElseThrow();
        StoredObject widget = writes.create(widgets, "t", named("w"), WriteOptions.TRUSTED).object();
        ObjectNode owned = named("of-widget");
        owned.withObject("/metadata").putArray("ownerReferences").addObject()
                .put("apiVersion", "example.com/v1").put("kind", "Widget").put("name", "w").put("uid", widget.uid());
        writes.create(secrets, "t", owned, WriteOptions.TRUSTED);
        writes.delete(definitions, null, "widgets.example.com", DeleteOptions.DEFAULT);
        scheduler.runAll();
        assertThat(cluster.get(secrets, "t", "of-widget")).isNull();
    }

    @Test
    void aDependentThatLosesItsOwnerReferenceInItsMidstStays() {
        delete("Background", () -> writes.update(Writes.Target.of(secrets, "t", "dependent-3"), tree -> {
            tree.withObject("/metadata").remove("ownerReferences");
            return tree;
        }, WriteOptions.TRUSTED));
        assertThat(cluster.get(secrets, "t", "dependent-3")).isNotNull();
        assertThat(left(cluster)).isEqualTo(1);
    }

    /** As a kube-controller-manager 1.36 decided of each of these. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            // apiVersion | kind | name | uid | namespace of the dependent | what remains
            "v1 | ConfigMap | never | 1 | t | nothing",
            "v1 | ConfigMap | owner | 1 | t | nothing",
            "v1 | ConfigMap | owner | of owner | other | nothing",
            "v1 | ConfigMap | nope | of owner | t | nothing",
            "v1 | Secret | owner | of owner | t | nothing",
            "v1 | Namespace | never | 1 | t | nothing",
            "v1 | Namespace | t | of t | other | the reference",
            "v1 | ConfigMap | owner | of owner | t | the reference",
            "no.such/v1 | Foo | owner | 1 | t | the reference",
            "v9 | ConfigMap | owner | 1 | t | the reference",
            "v1 | ConfigMap | owner | of owner | | the reference",
            "v1 | ConfigMap | never | 1 | | the reference",
            "v1 | Namespace | never | 1 | | nothing"
    })
    void anObjectWhoseOwnersAreAbsentGoes(String apiVersion, String kind, String name, String uid, String namespace, String remains) {
        ResourceDefinition type = namespace == null ? cluster.types().find("", "nodes").orElseThrow() : secrets;
        ObjectNode dependent = named("dependent");
        dependent.withObject("/metadata").putArray("ownerReferences").addObject()
                .put("apiVersion", apiVersion).put("kind", kind).put("name", name).put("uid", uid(uid));
        writes.create(type, namespace, dependent, WriteOptions.TRUSTED);
        scheduler.runAll();
        StoredObject found = cluster.get(type, namespace, "dependent");
        assertThat(found == null ? "nothing" : found.owners().isEmpty() ? "the object" : "the reference").isEqualTo(remains);
        assertThat(left(cluster)).as("others stay").isEqualTo(DEPENDENTS + (found == null || namespace == null ? 0 : 1));
    }

    private String uid(String of) {
        return of.equals("of owner") ? cluster.get(configMaps, "t", "owner").uid() : of.equals("of t") ? namespace().uid() : of;
    }

    @Test
    void aReferenceToAnAbsentOwnerGoesFromAnObjectThatHasAnotherOwner() {
        ObjectNode dependent = named("dependent");
        var references = dependent.withObject("/metadata").putArray("ownerReferences");
        for (String uid : List.of(uid("of owner"), "1")) {
            references.addObject().put("apiVersion", "v1").put("kind", "ConfigMap").put("name", "owner").put("uid", uid);
        }
        writes.create(secrets, "t", dependent, WriteOptions.TRUSTED);
        scheduler.runAll();
        assertThat(cluster.get(secrets, "t", "dependent").owners()).extracting(StoredObject.Owner::uid).containsExactly(uid("of owner"));
        deleteOwner("owner", "Background");
        assertThat(cluster.get(secrets, "t", "dependent")).isNull();
    }

    @Test
    void anObjectWithoutANamespaceOutlivesItsOwnerThatHasOne() {
        ResourceDefinition nodes = cluster.types().find("", "nodes").orElseThrow();
        ObjectNode dependent = named("dependent");
        dependent.withObject("/metadata").putArray("ownerReferences").addObject()
                .put("apiVersion", "v1").put("kind", "ConfigMap").put("name", "owner").put("uid", uid("of owner"));
        writes.create(nodes, null, dependent, WriteOptions.TRUSTED);
        deleteOwner("owner", "Foreground");
        assertThat(cluster.get(configMaps, "t", "owner")).isNull();
        assertThat(cluster.get(nodes, null, "dependent")).isNotNull();
    }

    @Test
    void anObjectGoesThatIsGivenAnAbsentOwnerOnly() {
        writes.create(secrets, "t", named("late"), WriteOptions.TRUSTED);
        writes.update(Writes.Target.of(secrets, "t", "late"), tree -> {
            tree.withObject("/metadata").putArray("ownerReferences").addObject()
                    .put("apiVersion", "v1").put("kind", "ConfigMap").put("name", "never").put("uid", "1");
            return tree;
        }, WriteOptions.TRUSTED);
        scheduler.runAll();
        assertThat(cluster.get(secrets, "t", "late")).isNull();
    }
}
