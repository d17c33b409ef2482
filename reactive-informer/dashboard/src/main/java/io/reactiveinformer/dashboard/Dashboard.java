package io.reactiveinformer.dashboard;

import io.reactiveinformer.dashboard.Message.Heading;
import io.reactiveinformer.dashboard.Message.Hello;
import io.reactiveinformer.dashboard.Message.Mark;
import io.reactiveinformer.dashboard.Message.Pulse;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * A page that shows informers, their objects and the browsers that read them, for any web server: it serves the {@linkplain #file files},
 * the {@linkplain #events events} as a stream of server-sent events, and single {@linkplain #object objects}. The page itself may have any
 * address whose last segment is not empty, or {@code /}; it requests all else below {@code ui/}, relative to it:
 *
 * <pre>
 * GET …/ui            file index.html
 * GET …/ui/{file}     file
 * GET …/ui/changes    events; ?namespace=shop&amp;labels=app=web&amp;slow=true
 * GET …/ui/object     object; ?table=Pods&amp;key=shop/web
 * </pre>
 *
 * <p><strong>The web server decides who may read it.</strong> Of a Secret the page receives the name only, of any other object all that the
 * informer caches. It only reads. Thread-safe.
 *
 * <p>An open page costs at most one pending change for each row, however slowly it reads, and delays neither informers nor other pages. The
 * rows are kept while a page is open, and for ten seconds afterwards.
 */
public final class Dashboard {

    private static final Duration BEAT = Duration.ofSeconds(1);
    private static final Duration LINGER = Duration.ofSeconds(10); // a page that is loaded again finds the rows
    private static final Duration MARKED = Duration.ofMinutes(2); // as long as the page's timeline
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html;charset=UTF-8", "js", "text/javascript;charset=UTF-8", "css", "text/css;charset=UTF-8",
            "svg", "image/svg+xml;charset=UTF-8");
    private static final Map<String, File> FILES = List.of("index.html", "style.css", "icon.svg", "main.js", "cards.js", "connection.js",
            "details.js", "problems.js", "table.js", "timeline.js").stream().collect(Collectors.toMap(name -> name, Dashboard::read));

    private final String title;
    private final Supplier<? extends Collection<? extends Informer<?>>> informers;
    private final Supplier<List<String>> faults;
    private final Predicate<? super Informer<?>> optional;
    private final Map<Informer<?>, Vitals> vitals = new LinkedHashMap<>(); // guarded by itself; empty while no page is open
    private final Set<Browser> browsers = new ConcurrentSkipListSet<>(Comparator.comparing(Browser::name));
    private final AtomicInteger count = new AtomicInteger();
    private final Flux<Pulse> pulses = Flux.defer(this::beat).replay(1).refCount();
    private final Flux<Dashboard> current = Flux.using(() -> this, self -> Flux.<Dashboard>never().startWith(self), Dashboard::forget)
            .replay(1).refCount(1, LINGER);

    private Dashboard(
            String title, Supplier<? extends Collection<? extends Informer<?>>> informers, Supplier<List<String>> faults,
            Predicate<? super Informer<?>> optional) {
        this.title = title;
        this.optional = optional;
        this.informers = informers;
        this.faults = faults;
    }

    /**
     * A dashboard of {@code informers}, which it neither starts nor stops.
     *
     * @param title the cluster or the application, in words
     * @param informers called for each page that is opened, which shows these informers; others are forgotten
     */
    public static Dashboard of(String title, Supplier<? extends Collection<? extends Informer<?>>> informers) {
        return new Dashboard(title, informers, List::of, informer -> false);
    }

    /**
     * This dashboard with buttons that cause faults of a test server, by {@code POST …/faults/{name}}, which the web server handles.
     *
     * @param names the faults that can be caused now: any of {@code cut}, {@code expire}, {@code pause} and {@code resume}; called each
     *     second
     */
    public Dashboard withFaults(Supplier<List<String>> names) {
        return new Dashboard(title, informers, names, optional);
    }

    /** This dashboard with informers that are shown as optional: it is no problem if one of them is not live. Called each second. */
    public Dashboard withOptional(Predicate<? super Informer<?>> optional) {
        return new Dashboard(title, informers, faults, optional);
    }

    /**
     * A file of the page.
     *
     * @param contentType with its character set
     */
    public record File(String contentType, String content) {}

    /**
     * A server-sent event.
     *
     * @param name its {@code event}
     * @param json its {@code data}, in one line
     */
    public record Event(String name, String json) {}

    /** The file of that name; empty if the page has none. */
    public static Optional<File> file(String name) {
        return Optional.ofNullable(FILES.get(name));
    }

    private static File read(String name) {
        try (InputStream file = Dashboard.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("no resource " + name + " beside " + Dashboard.class.getName());
            }
            String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "text/plain");
            return new File(type, new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /**
     * All events of one page: the rows that it wants to see, then their changes, and the status of everything once a second. At most 33 are
     * requested ahead of the subscriber's demand. Never completes: the web server ends it before it waits for running requests.
     *
     * @param namespace shows only objects of this one, and cluster-scoped ones; empty for all
     * @param labels a label selector; empty for any
     * @param slow whether to request one change a second
     * @throws IllegalArgumentException if the selector cannot be parsed; the message names the position
     */
    public Flux<Event> events(String namespace, String labels, boolean slow) {
        var wish = new Wish(namespace, Selector.labels(labels), slow);
        return current.flatMap(self -> self.open(wish), 1, 1)
                .map(message -> new Event(message.event(), JSON.writeValueAsString(message)));
    }

    /**
     * An object as YAML: as it is cached, without managed fields. Of a Secret the name only. Empty if there is none.
     *
     * @param table as the page calls it, such as {@code Pods}; known while a page is open
     * @param key {@code namespace/name}, or {@code name}
     * @throws IllegalArgumentException if that is no key
     */
    public Optional<String> object(String table, String key) {
        ObjectKey wanted = ObjectKey.parse(key);
        return all().stream().map(Vitals::table).filter(one -> one.name().equals(table)).findFirst()
                .flatMap(one -> one.informer().snapshot().get(wanted).map(object -> Details.of(one, wanted, object)));
    }

    /**
     * Keeps all rows current, and counts their changes, until the subscription is cancelled. Otherwise that begins when a page is opened.
     * Never completes.
     */
    public Mono<Void> keep() {
        return current.doOnNext(Dashboard::tables).then();
    }

    /** The number of changes of rows since a page was opened, or since {@link #keep}. Those of forgotten informers are not counted. */
    public long changes() {
        return all().stream().mapToLong(Vitals::changes).sum();
    }

    private Flux<Message> open(Wish wish) {
        return Flux.defer(() -> {
            List<Table> tables = tables();
            var browser = new Browser("browser-" + count.incrementAndGet(), wish, tables);
            browsers.add(browser);
            return Flux.fromIterable(List.of(browser.rows(), pulses.onBackpressureLatest()))
                    .<Message>flatMap(part -> part, 2, browser.ahead())
                    .startWith(hello(browser, tables))
                    .doFinally(end -> browsers.remove(browser));
        });
    }

    /** The tables of the present informers, in their order. Informers that are not present any more are forgotten. */
    private List<Table> tables() {
        synchronized (vitals) {
            Set<Informer<?>> present = new LinkedHashSet<>(informers.get());
            vitals.entrySet().removeIf(known -> {
                boolean left = !present.contains(known.getKey());
                if (left) {
                    known.getValue().dispose();
                }
                return left;
            });
            return present.stream().map(informer -> vitals.computeIfAbsent(informer, added -> new Vitals(
                    Tables.of(added, vitals.values().stream().map(one -> one.table().name()).collect(Collectors.toSet())))).table())
                    .toList();
        }
    }

    private List<Vitals> all() {
        synchronized (vitals) {
            return List.copyOf(vitals.values());
        }
    }

    private void forget() {
        synchronized (vitals) {
            vitals.values().forEach(Vitals::dispose);
            vitals.clear();
        }
    }

    private Hello hello(Browser browser, List<Table> tables) {
        List<Heading> headings = tables.stream().map(table -> new Heading(table.name(), table.kind(), table.columns())).toList();
        return new Hello(browser.name(), title, headings, faults.get());
    }

    /** Emits a pulse each second. Changes before the first browser are not counted. */
    private Flux<Pulse> beat() {
        var told = new AtomicLong(changes());
        return Flux.interval(BEAT, BEAT).onBackpressureDrop().map(tick -> {
            long now = changes();
            return pulse(Math.max(0, now - told.getAndSet(now)));
        });
    }

    private Pulse pulse(long changes) {
        List<Vitals> all = all();
        List<Mark> marks = all.stream().flatMap(one -> one.marks(MARKED)).sorted(Comparator.comparing(Mark::ago)).toList();
        return new Pulse(changes, faults.get(), all.stream().map(one -> one.stand(optional)).toList(), marks,
                browsers.stream().map(Browser::stand).toList());
    }
}
