package io.reactiveinformer.transport;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Callable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Resolves names as {@link InetAddress} does. Netty's resolver of that kind looks names up on the event loop, which must not block. */
final class JvmResolver extends AddressResolverGroup<InetSocketAddress> {

    static final JvmResolver INSTANCE = new JvmResolver();

    private JvmResolver() {}

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new Names(executor).asAddressResolver();
    }

    private static final class Names extends InetNameResolver {

        Names(EventExecutor executor) {
            super(executor);
        }

        @Override
        protected void doResolve(String name, Promise<InetAddress> promise) {
            lookUp(() -> InetAddress.getByName(name), promise);
        }

        @Override
        protected void doResolveAll(String name, Promise<List<InetAddress>> promise) {
            lookUp(() -> List.of(InetAddress.getAllByName(name)), promise);
        }

        private static <R> void lookUp(Callable<R> lookUp, Promise<R> promise) {
            Mono.fromCallable(lookUp)
                    .subscribeOn(Schedulers.boundedElastic())
                    .subscribe(promise::trySuccess, promise::tryFailure);
        }
    }
}
