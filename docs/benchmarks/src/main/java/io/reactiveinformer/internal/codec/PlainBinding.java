package io.reactiveinformer.internal.codec;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.benchmarks.trial.Contender;
import io.reactiveinformer.benchmarks.trial.Corpus;
import io.reactiveinformer.benchmarks.trial.PodBytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.ObjectReader;

/** No library, but what each must do at the least if it binds each object on its own: Jackson over slices that are in memory already. */
public final class PlainBinding implements Contender {

    private static final int NEVER_CHANGED = 0;

    private final ByteBuffer slices;
    private final int[] lengths;
    private final JsonFactory factory;
    private final List<V1Pod> pods = new ArrayList<>();

    /**
     * @param form the corpus, how many pods it has, and whether Jackson keeps their names of properties, as it does by default:
     *     where each pod has some of its own, as here, it then copies thousands of names for each pod. {@code A,50000,true}
     */
    public PlainBinding(String form) {
        String[] parts = form.split(",", -1);
        var corpus = new Corpus(Corpus.Kind.valueOf(parts[0]), 2, 200, 1);
        lengths = new int[Integer.parseInt(parts[1])];
        factory = JsonFactory.builder().configure(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES, Boolean.parseBoolean(parts[2]))
                .build();
        slices = ByteBuffer.allocateDirect(lengths.length * (8 << 10));
        byte[] one = new byte[64 << 10];
        for (int i = 0; i < lengths.length; i++) {
            PodBytes pod = corpus.pod(i);
            pod.write(one, 0, 1_000_000_000 + i, i, NEVER_CHANGED, 0, false);
            lengths[i] = pod.length();
            slices.put(one, 0, pod.length());
        }
    }

    @Override
    public void start(String url, List<String> namespaces, Handler handler) {
        // what there is to do is done while one waits for it
    }

    @Override
    public void awaitSynced() {
        ObjectReader reader = Mappers.own().readerFor(V1Pod.class);
        byte[] slice = new byte[64 << 10];
        slices.flip();
        for (int length : lengths) {
            slices.get(slice, 0, length);
            try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), slice, 0, length)) {
                pods.add(reader.readValue(parser));
            }
        }
    }

    @Override
    public int size() {
        return pods.size();
    }

    @Override
    public @Nullable String version(String namespace, String name) {
        return null;
    }

    @Override
    public @Nullable Object get(String namespace, String name) {
        return null;
    }

    @Override
    public int list(String namespace) {
        return 0;
    }

    @Override
    public void close() {
        pods.clear();
    }
}
