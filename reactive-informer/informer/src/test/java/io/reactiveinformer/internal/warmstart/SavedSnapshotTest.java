package io.reactiveinformer.internal.warmstart;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.reactiveinformer.client.Known.Stale;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The bytes of a saved snapshot.
 */
class SavedSnapshotTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final Namespaces TWO = Namespaces.of(List.of("a", "b"));
    private static final Map<String, String> LABEL = Map.of("server", "https://here", "type", "pods");
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");

    private final ObjectCodec codec = ObjectCodec.create();
    private final Store<V1Pod> store = Store.create(TWO);

    private static V1Pod pod(String namespace, String name, String node) {
        return new V1Pod().apiVersion("v1").kind("Pod")
                .metadata(new V1ObjectMeta().namespace(namespace).name(name).uid("uid-" + name)
                        .resourceVersion("7").labels(Map.of("app", "web")))
                .spec(new V1PodSpec().nodeName(node));
    }

    private static Delta<V1Pod> row(String namespace, String name) {
        return new Delta.Upserted<>(Namespaces.of(namespace), ObjectKey.of(namespace, name),
                new Versioned<>("uid-" + name, "7", pod(namespace, name, "node-é")));
    }

    private byte[] saved() {
        store.apply(new Delta.Replaced<>(Namespaces.of("a"), List.of(row("a", "x"), row("a", "y"),
                new Delta.Unreadable<>(Namespaces.of("a"), ObjectKey.of("a", "odd"), "9",
                        new UnreadableObjectException("a number at spec", null))),
                "10", false));
        store.apply(new Delta.Replaced<>(Namespaces.of("b"), List.of(row("b", "z")), "20", false));
        return saved(LABEL, new Held<>(AT, 0, TWO, store.snapshot(), store.stale()),
                Map.of(Namespaces.of("a"), "10", Namespaces.of("b"), "20"));
    }

    private <T> byte[] saved(Map<String, String> label, Held<T> cached, Map<Namespaces, String> versions) {
        var bytes = new ByteArrayOutputStream();
        SavedWriter.write(new SavedLabel(label, AT, versions), cached, codec::write)
                .subscribe(piece -> {
                    while (piece.hasRemaining()) {
                        bytes.write(piece.get());
                    }
                });
        return bytes.toByteArray();
    }

    private Saved<V1Pod> read(byte[] bytes, int... cuts) {
        List<ByteBuffer> pieces = new ArrayList<>();
        int from = 0;
        for (int cut : cuts) {
            pieces.add(ByteBuffer.wrap(bytes, from, cut - from));
            from = cut;
        }
        pieces.add(ByteBuffer.wrap(bytes, from, bytes.length - from));
        return SavedReader.read(Flux.fromIterable(pieces), LABEL, codec.written(PODS)).block();
    }

    private void isUnusable(byte[] bytes, String because) {
        assertThatThrownBy(() -> read(bytes)).isInstanceOf(SavedReader.UnusableException.class).hasMessageContaining(because);
    }

    @Test
    void isReadAsItWasWritten() {
        assertIsWhatWasSaved(read(saved()));
    }

    /** {@code saved-format-1.bin} is what release 0.1.0 writes. It stays as it is, and can be read, whatever later releases write. */
    @Test
    void filesOfTheFirstReleaseAreRead() throws Exception {
        try (InputStream file = Objects.requireNonNull(getClass().getResourceAsStream("saved-format-1.bin"))) {
            assertIsWhatWasSaved(read(file.readAllBytes()));
        }
    }

    private static void assertIsWhatWasSaved(Saved<V1Pod> read) {
        assertThat(read.at()).isEqualTo(AT);
        assertThat(read.parts()).containsOnlyKeys(Namespaces.of("a"), Namespaces.of("b"));
        assertThat(read.parts().get(Namespaces.of("b"))).isEqualTo(new Saved.Part<>("20", List.of(row("b", "z"))));
        Store.Managed<V1Pod> again = Store.Managed.create(TWO);
        read.parts().forEach((part, savedPart) -> again.restore(part, savedPart.rows(), savedPart.resourceVersion()));
        assertThat(again.stale()).isEqualTo(Map.of(ObjectKey.of("a", "odd"), new Stale("9", "a number at spec")));
        assertThat(again.lister().inNamespace("a").keys()).containsExactlyInAnyOrder(ObjectKey.of("a", "x"), ObjectKey.of("a", "y"));
    }

    @Test
    void isReadInPiecesOfAnySize() {
        byte[] bytes = saved();
        Saved<V1Pod> whole = read(bytes);
        for (int cut = 1; cut < bytes.length; cut++) {
            assertThat(read(bytes, cut).parts().keySet()).isEqualTo(whole.parts().keySet());
        }
        assertThat(read(bytes, IntStream.range(1, bytes.length).toArray()).parts().get(Namespaces.of("b")))
                .isEqualTo(whole.parts().get(Namespaces.of("b")));
    }

    @Test
    void isNothingWhereNothingIs() {
        assertThat(SavedReader.read(Flux.empty(), LABEL, codec.written(PODS)).block()).isNull();
    }

    @Test
    void isOfNoUseWithoutBytes() {
        isUnusable(new byte[0], "it is empty");
    }

    @Test
    void isOfNoUseWhenItsEndIsMissing() {
        byte[] bytes = saved();
        for (int length = 1; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> read(cut)).as("cut after %s bytes", length).isInstanceOf(SavedReader.UnusableException.class);
        }
        isUnusable(Arrays.copyOf(bytes, bytes.length - 1), "its end is missing");
    }

    @Test
    void isOfNoUseWhenABitIsWrong() {
        byte[] bytes = saved();
        for (int place = 0; place < bytes.length; place++) {
            for (int bit : List.of(0x10)) {
                byte[] wrong = bytes.clone();
                wrong[place] ^= (byte) bit;
                assertThatThrownBy(() -> read(wrong)).as("bit %s of byte %s", bit, place).isInstanceOf(SavedReader.UnusableException.class);
            }
        }
    }

    @Test
    void isOfNoUseWhenItIsSomethingElse() {
        byte[] noise = new byte[1_000];
        new Random(1).nextBytes(noise);
        isUnusable(noise, "it is not a snapshot");
        isUnusable("{}\n".getBytes(StandardCharsets.UTF_8), "it is not a snapshot");
        byte[] more = Arrays.copyOf(saved(), saved().length + 1);
        isUnusable(more, "it goes on after its end");
    }

    @Test
    void saysSoWhenItIsOfANewerFormat() {
        byte[] bytes = new String(saved(), StandardCharsets.ISO_8859_1).replaceFirst("snapshot 1", "snapshot 2")
                .getBytes(StandardCharsets.ISO_8859_1);
        isUnusable(bytes, "it is of format 2, and this program reads format 1");
    }

    @Test
    void saysOfWhatItIsWhenThatIsSomethingElse() {
        Held<V1Pod> cached = new Held<>(AT, 0, TWO, store.snapshot(), Map.of());
        isUnusable(saved(Map.of("server", "https://there", "type", "pods"), cached, Map.of()),
                "it is a snapshot of something else: its server is \"https://there\", ours is \"https://here\"");
        isUnusable(saved(Map.of("server", "https://here"), cached, Map.of()), "its type is \"unknown\", ours is \"pods\"");
    }

    record Labels(String app) {}

    record Summary(
            @FieldPath("spec.nodeName") String node, @FieldPath("metadata.labels") Labels labels,
            @FieldPath("status.phase") String phase, int odd) {}

    /** A projection does not have the shape of the object that it was read from, nor its key. */
    @Test
    void holdsProjectionsToo() {
        ResourceType<Summary> type = PODS.as(Summary.class);
        var summary = new Summary("node-7", new Labels("web"), null, 5);
        Store<Summary> summaries = Store.create();
        ObjectKey key = ObjectKey.of("a", "x");
        summaries.apply(new Delta.Replaced<>(Namespaces.all(),
                List.of(new Delta.Upserted<>(Namespaces.all(), key, new Versioned<>("u", "3", summary))), "4", false));
        byte[] bytes = saved(LABEL, new Held<>(AT, 0, Namespaces.all(), summaries.snapshot(), Map.of()), Map.of(Namespaces.all(), "4"));

        Saved<Summary> read = SavedReader.read(Flux.just(ByteBuffer.wrap(bytes)), LABEL, codec.written(type)).block();
        assertThat(read.parts().get(Namespaces.all()).rows())
                .isEqualTo(List.of(new Delta.Upserted<>(Namespaces.all(), key, new Versioned<>("u", "3", summary))));
    }
}
