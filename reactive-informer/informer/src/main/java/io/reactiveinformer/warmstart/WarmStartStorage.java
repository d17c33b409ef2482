package io.reactiveinformer.warmstart;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Stores the objects of informers, as bytes under a name, so that the next process can begin with them. The informers write the bytes, and
 * check that they are complete when they are loaded. Pass a storage to {@code InformerSpec.withWarmStart} or to
 * {@code InformerFactory.create(client, storage)}.
 *
 * <p>The methods do their work on subscription, and not on the thread of the subscriber. If a storage fails or is slow, the informer lists,
 * as it would without it.
 */
public interface WarmStartStorage {

    /**
     * A storage in files of {@code directory}, which is created when it is needed. A file is replaced in one step when the new one is on
     * the disk: a reader finds the old file or the new one, complete, even if the process is killed at any moment. Only the owner may read
     * the files, if the file system supports that. A file that is set aside gets the suffix {@code .unusable}, and replaces one that was
     * set aside before.
     *
     * <p>For one program and one cluster. Several processes of it may share the directory; the last save counts then.
     */
    static WarmStartStorage inDirectory(Path directory) {
        return new SnapshotDirectory(directory);
    }

    /**
     * Emits the content that was saved last under {@code name}, in pieces; empty if there is none. If there is something without a single
     * byte, that is one piece without bytes: nothing that was saved is empty, so it is set aside. The subscriber owns each piece until it
     * requests the next.
     *
     * @param name at most 200 letters, digits, {@code .}, {@code -} and {@code _}
     */
    Flux<ByteBuffer> load(String name);

    /**
     * Replaces the content of {@code name} in one step: a load emits this whole content or the former one, also if the save fails or is
     * cancelled. Completes when the content is durable: it outlasts the process and a crash of the machine.
     *
     * @param name as for {@link #load}
     * @param content must be subscribed to on a thread that may block, as it does its work there
     */
    Mono<Void> save(String name, Flux<ByteBuffer> content);

    /**
     * Moves the content of {@code name}, which cannot be used, to another place, where a person can examine it; it is not loaded again.
     * Emits the place.
     */
    Mono<String> setAside(String name);
}
