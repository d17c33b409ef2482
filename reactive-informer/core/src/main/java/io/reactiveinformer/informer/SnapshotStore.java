package io.reactiveinformer.informer;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Keeps what informers hold, so that the next process can begin with it: bytes under a name. What they mean, and that they are whole, informers
 * see to themselves. To be given to {@link InformerSpec#warmStart} or to {@link InformerFactory#create(io.reactiveinformer.client.KubernetesClient,
 * SnapshotStore)}.
 *
 * <p>Nothing is done before one subscribes, and then never on the subscriber's thread. Failures and delays cost the informer only what this would
 * have saved it: a list.
 */
public interface SnapshotStore {

    /**
     * In files of {@code directory}, which is made when it is needed. A file is replaced at once when the new one is on the disk: whoever reads,
     * and whenever the process is killed, there is the old one or the new one, whole. Only its owner may read it, where the file system can say
     * so. What is set aside has {@code .unusable} at the end of its name, and replaces what was set aside before.
     *
     * <p>For one program and one cluster; several processes of it may share the directory, and then the last to save counts.
     */
    static SnapshotStore inDirectory(Path directory) {
        return new SnapshotDirectory(directory);
    }

    /**
     * What was saved last under {@code name}, in pieces, of which each is the subscriber's until it requests the next; nothing if there is none.
     *
     * @param name of letters, digits, {@code .}, {@code -} and {@code _}; at most 200 of them
     */
    Flux<ByteBuffer> load(String name);

    /**
     * Replaces what was saved under {@code name}, all at once: what is loaded is this whole content or the former one, whatever fails meanwhile and
     * whoever cancels. Completes when it will outlast the process and the machine.
     *
     * @param content to be subscribed to where it may take its time; its work is done there
     */
    Mono<Void> save(String name, Flux<ByteBuffer> content);

    /** What was saved under {@code name} is of no use: it is no longer loaded, but kept for a person to look at. Says where. */
    Mono<String> setAside(String name);
}
