package io.reactiveinformer.client;

import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Names this library in each request, for the server's audit log. */
record UserAgent(Transport transport, String name) implements Transport {

    UserAgent(Transport transport) {
        this(transport, name(version(UserAgent.class)));
    }

    private static @Nullable String version(Class<?> ours) {
        Module module = ours.getModule();
        return module.isNamed() ? module.getDescriptor().rawVersion().orElse(null) : ours.getPackage().getImplementationVersion();
    }

    private static String name(@Nullable String version) {
        return "reactive-informer/" + (version == null ? "dev" : version) // what is before the slash is the default field manager
                + " (" + System.getProperty("os.name") + "/" + System.getProperty("os.arch") + ")";
    }

    @Override
    public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        boolean hasOne = request.headers().first("User-Agent").isPresent();
        return transport.exchange(hasOne ? request : request.withHeaders(request.headers().with("User-Agent", name)), reader);
    }

    @Override
    public String toString() {
        return transport.toString();
    }

    @Override
    public Mono<Void> dispose() {
        return transport.dispose();
    }
}
