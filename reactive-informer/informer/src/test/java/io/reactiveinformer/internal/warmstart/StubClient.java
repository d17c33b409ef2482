package io.reactiveinformer.internal.warmstart;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.internal.codec.HasCodec;
import io.reactiveinformer.internal.codec.ObjectCodec;
import java.lang.reflect.Proxy;
import reactor.core.publisher.Mono;

/** A client of which nothing is asked but its server's name and its codec. */
public final class StubClient {

    private StubClient() {}

    public static KubernetesClient of(Mono<String> server) {
        ObjectCodec codec = ObjectCodec.create();
        return (KubernetesClient) Proxy.newProxyInstance(KubernetesClient.class.getClassLoader(),
                new Class<?>[] {KubernetesClient.class, HasCodec.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "server" -> server;
                    case "codec" -> codec;
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }
}
