package io.reactiveinformer.test.cluster;

import io.reactiveinformer.test.HeldScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** A cascade is many writes: between them others read, write, save and restore. */
class CascadesTest {

    private static final int DEPENDENTS = 4;

    private final HeldScheduler scheduler = new HeldScheduler();
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
                    .put("apiVersion", "v1").put("kind", "ConfigMap").put("name", "owner").put("uid", owner.uid()).put("blockOwnerDeletion", true);
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

    /** @param deed what another does when it hears of the first dependent that is gone */
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
        assertThat(cluster.list(secrets, Selection.all(), null).objects()).hasSize(DEPENDENTS).allMatch(dependent -> dependent.owners().size() == 1);
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

    @Test
    void aDependentThatLosesItsOwnerReferenceInItsMidstStays() {
        delete("Background", () -> writes.update(secrets, "t", "dependent-3", "", tree -> {
            tree.withObject("/metadata").remove("ownerReferences");
            return tree;
        }, WriteOptions.TRUSTED));
        assertThat(cluster.get(secrets, "t", "dependent-3")).isNotNull();
        assertThat(left(cluster)).isEqualTo(1);
    }
}
