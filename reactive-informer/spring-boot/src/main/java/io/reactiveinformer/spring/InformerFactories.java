package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * All informer factories among the beans, usually one for each cluster, and the informer beans that no factory has made, as one.
 *
 * @param singles the informers among the beans
 */
record InformerFactories(
        ObjectProvider<InformerFactory> beans, ObjectProvider<DeclaredInformers> declared, Supplier<Stream<Informer<?>>> singles) {

    private static final Logger LOG = LoggerFactory.getLogger(InformerFactories.class);

    /** The current status is emitted on the caller's thread, so that blocked threads do not delay it. */
    private static final Delivery HERE = Delivery.conflated().on(Schedulers.immediate());

    /** What could not be read, and why: the type of an exception, without its message, which may contain a secret. Both are logged. */
    record Unread(String name, String why) {

        private static Unread of(String name, Throwable thrown) {
            LOG.warn("{} cannot be read", name, thrown);
            return new Unread(name, "cannot be read: " + thrown.getClass().getName());
        }

        @Override
        public String toString() {
            return name + " " + why;
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // each is an informer of something
    static InformerFactories of(ListableBeanFactory beans) {
        return new InformerFactories(beans.getBeanProvider(InformerFactory.class), beans.getBeanProvider(DeclaredInformers.class),
                () -> (Stream) beans.getBeanProvider(Informer.class).orderedStream());
    }

    private List<InformerFactory> all() {
        return beans.orderedStream().toList();
    }

    /** The informers that no factory has made. */
    List<Informer<?>> single() {
        Set<Informer<?>> made = new HashSet<>();
        all().forEach(factory -> made.addAll(factory.informers()));
        return singles.get().filter(informer -> !made.contains(informer)).distinct().toList();
    }

    /**
     * The results of {@code read} for each informer, once each, even if a factory and its metered view are both beans.
     *
     * @param unread called instead for an informer or a factory that throws; the others are read nevertheless
     */
    <R> List<R> each(Function<Informer<?>, R> read, Function<Unread, R> unread) {
        List<R> each = new ArrayList<>();
        Set<Informer<?>> known = new HashSet<>();
        Consumer<Unread> failed = what -> each.add(unread.apply(what));
        Consumer<Stream<Informer<?>>> readAll = informers -> informers.filter(known::add).forEach(informer ->
                attempt(() -> name(informer), failed, () -> each.add(read.apply(informer))));
        attempt(() -> "the informers", failed, () -> {
            all().forEach(factory ->
                    attempt(() -> "the informers of a factory", failed, () -> readAll.accept(factory.informers().stream())));
            readAll.accept(singles.get());
        });
        return each;
    }

    /** As {@link #each}, with the current status of each informer. */
    <R> Mono<List<R>> present(BiFunction<Informer<?>, InformerStatus, R> read, Function<Unread, R> unread) {
        return Mono.defer(() -> Flux.mergeSequential(each(
                informer -> Mono.<R>create(sink -> {
                    Consumer<Unread> failed = what -> sink.success(unread.apply(what));
                    Consumer<InformerStatus> show = status ->
                            attempt(() -> name(informer), failed, () -> sink.success(read.apply(informer, status)));
                    attempt(() -> name(informer), failed, () -> sink.onDispose(informer.status(HERE).next().singleOptional().subscribe(
                            status -> status.ifPresentOrElse(
                                    show, () -> failed.accept(new Unread(name(informer), "cannot be read: it has no status"))),
                            thrown -> failed.accept(Unread.of(name(informer), thrown)))));
                }),
                what -> Mono.just(unread.apply(what)))).collectList());
    }

    private static void attempt(Supplier<String> name, Consumer<Unread> failed, Runnable reading) {
        try {
            reading.run();
        } catch (Throwable thrown) { // also what Reactor would throw to the caller, such as a missing class
            failed.accept(Unread.of(name.get(), thrown));
        }
    }

    private static String name(Informer<?> informer) {
        try {
            return informer.description();
        } catch (Throwable thrown) { // of an informer of the user: the message has no name then
            return "an informer";
        }
    }

    void start() {
        all().forEach(InformerFactory::start);
        single().forEach(Informer::start);
    }

    /** Whether the application is ready although {@code informer} is not synced. */
    boolean optional(Informer<?> informer) {
        return declared.stream().anyMatch(properties -> properties.optional(informer));
    }

    /** Does not wait for optional informers. Fails with the exception of one factory or informer; the others are suppressed in it. */
    Mono<Void> synced(Duration patience) {
        Stream<Mono<Void>> ofFactories = all().stream().flatMap(factory -> factory.informers().stream().noneMatch(this::optional)
                ? Stream.of(factory.synced(patience))
                : factory.informers().stream().filter(informer -> !optional(informer)).map(informer -> informer.synced(patience)));
        return Mono.whenDelayError(Stream.concat(ofFactories, single().stream().map(informer -> informer.synced(patience))).toList())
                .onErrorMap(Exceptions::isMultiple, several -> {
                    List<Throwable> each = Exceptions.unwrapMultiple(several);
                    each.stream().skip(1).forEach(each.get(0)::addSuppressed);
                    return each.get(0);
                });
    }

    Mono<Void> stop(Duration grace) {
        Mono<Void> ofSingleOnes = Mono.fromRunnable(() -> single().forEach(Informer::stop));
        Stream<Mono<Void>> ofFactories = all().stream().map(factory -> factory.stop(grace));
        return Mono.whenDelayError(Stream.concat(Stream.of(ofSingleOnes), ofFactories).toList());
    }

    /** Meters the informers of a factory. Does not refer to the metrics classes, which may be missing from the class path. */
    interface Metering extends UnaryOperator<InformerFactory> {}
}
