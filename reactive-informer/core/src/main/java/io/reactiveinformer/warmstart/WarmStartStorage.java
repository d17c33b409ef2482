package io.reactiveinformer.warmstart;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Stores what informers cache, so that the next process can begin with it: bytes under a name. Informers alone know what the bytes mean,
 * and check that they are complete. Pass it to {@link io.reactiveinformer.informer.InformerSpec#warmStart} or to {@link
 * io.reactiveinformer.informer.InformerFactory#create(io.reactiveinformer.client.KubernetesClient, WarmStartStorage)}.
 *
 * <p>Nothing is done before a subscription, and then never on the subscriber's thread. Failures and delays cost the informer only what the
 * store would have saved it: a list.
 */
public interface WarmStartStorage {

    /**
     * A store in files of {@code directory}, which is made when it is needed. A file is replaced in one step when the new one is on the
     * disk: every reader finds the old one or the new one, complete, also if the process is killed at any moment. Only its owner may read
     * it, where the file system supports that. The name of what is set aside ends in {@code .unusable}; it replaces what was set aside
     * before.
     *
     * <p>For one program and one cluster; several processes of it may share the directory, and then the last to save wins.
     */
    static WarmStartStorage inDirectory(Path directory) {
        return new SnapshotDirectory(directory);
    }

    /**
     * What was saved last under {@code name}, in pieces; empty if there is nothing. Each piece is the subscriber's until it requests the
     * next.
     *
     * @param name of letters, digits, {@code .}, {@code -} and {@code _}; at most 200 of them
     */
    Flux<ByteBuffer> load(String name);

    /**
     * Replaces what was saved under {@code name}, in one step: a load gives this whole content or the former one, whatever fails meanwhile
     * and even if the save is cancelled. Completes when the content will outlast the process and the machine.
     *
     * @param content to be subscribed to on a thread that may block; it does its work there
     */
    Mono<Void> save(String name, Flux<ByteBuffer> content);

    /**
     * What was saved under {@code name} cannot be used: it is no longer loaded, but kept for a person to look at. Emits the place where it
     * is kept.
     */
    Mono<String> setAside(String name);
}
