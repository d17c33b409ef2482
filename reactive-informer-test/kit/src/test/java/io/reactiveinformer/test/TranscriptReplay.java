package io.reactiveinformer.test;

import io.netty.buffer.ByteBufUtil;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.Selection;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import io.reactiveinformer.recordings.Recording;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Sends the requests of one recording to a server whose objects were set up to match, and says where the answers differ. */
final class TranscriptReplay implements AutoCloseable {

    private static final Pattern TOO_OLD = Pattern.compile("too old resource version: (\\d+) \\((\\d+)\\)");
    private static final Duration BEFORE_THE_END = Duration.ofSeconds(2);

    /** @param difference empty if there is none */
    record Verdict(String file, int number, String title, String difference) {
        boolean matches() {
            return difference.isEmpty();
        }
    }

    private final Recording recording;
    private final RecordedStates states;
    private final Map<Integer, Scene> scenes;
    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private long now;
    private FakeApiServer server;

    /** What else is to be so before an exchange: a fault, a user. */
    interface Scene {
        void prepare(FakeApiServer server);

        default void build(FakeApiServer.Builder builder) {}

        /** Objects that are gone, though no recording tells when. */
        default boolean lacks(String name) {
            return false;
        }

        default boolean withoutBookmarks() {
            return false;
        }
    }

    /** The cluster of the recording had not received of any change yet, or has no watch cache. */
    enum Quiet implements Scene {
        INSTANCE;

        @Override
        public void prepare(FakeApiServer server) {}

        @Override
        public boolean withoutBookmarks() {
            return true;
        }
    }

    TranscriptReplay(Recording recording, RecordedStates states, Map<Integer, Scene> scenes) {
        this.recording = recording;
        this.states = states;
        this.scenes = scenes;
        this.server = newServer(null);
    }

    private FakeApiServer newServer(Scene scene) {
        var builder = FakeApiServer.builder().scheduler(time).podShutdown(null);
        if (scene != null) {
            scene.build(builder);
        }
        return (scene != null && scene.withoutBookmarks() ? builder.bookmarks(null) : builder).build();
    }

    List<Verdict> run() {
        List<Verdict> verdicts = new ArrayList<>();
        for (int i = 0; i < recording.exchanges().size(); i++) {
            Recording.Exchange exchange = recording.exchanges().get(i);
            String difference;
            try {
                difference = replay(exchange, scenes.getOrDefault(i + 1, scenes.get(0)));
            } catch (RuntimeException | AssertionError failure) {
                difference = "replay failed: " + failure;
            }
            verdicts.add(new Verdict(recording.name(), i + 1, exchange.title(), difference));
        }
        return verdicts;
    }

    @Override
    public void close() {
        server.close();
        time.dispose();
    }

    private String replay(Recording.Exchange exchange, Scene scene) {
        server.close();
        server = newServer(scene);
        ApiRequest request = withOwnTag(RecordedStates.request(exchange));
        if (exchange.response().length == 0) {
            server.faults().onAny().refuse();
            return answer(exchange, request);
        }
        boolean write = request.verb() != Verb.GET && request.verb() != Verb.LIST && request.verb() != Verb.WATCH && request.isResource();
        long seen = versions(exchange);
        boolean exact = request.query().has("continue") || request.query().text("resourceVersionMatch").equals("Exact")
                || request.query().has("limit") && !List.of("", "0").contains(request.query().text("resourceVersion"));
        long start = start(exchange, request, write, seen, exact);
        setUp(exchange, request, start, scene);
        if (scene != null) {
            scene.prepare(server);
        }
        if (request.verb() == Verb.WATCH && exchange.status() == 200) {
            now = Math.max(now, start);
            return watch(exchange, request);
        }
        String difference = answer(exchange, request);
        now = write ? Math.max(seen, start) : Math.max(now, Math.max(seen, start));
        if (request.verb() == Verb.DELETE && exchange.status() == 200 && !RecordedStates.text(exchange).contains("\"finalizers\"")
                && !request.query().has("dryRun") && !RecordedStates.text(exchange).contains("deletionGracePeriodSeconds\":30")) {
            states.gone(request, ++now);
        }
        return difference;
    }

    /** Tags are made of bytes whose order no client may depend on: who shows the recorded one is to show ours. */
    private ApiRequest withOwnTag(ApiRequest request) {
        if (request.http().headers().first("If-None-Match").isEmpty()) {
            return request;
        }
        Headers plain = Headers.of("Accept", request.http().headers().first("Accept").orElse("application/json"));
        String tag = new Requests(server.transport()).answer("GET", request.http().uri(), plain, null)
                .block().headers().first("ETag").orElse("none");
        return ApiRequest.of(new HttpRequest("GET", request.http().uri(), plain.with("If-None-Match", tag), null));
    }

    /** The version of the cluster when the request came. */
    private long start(Recording.Exchange exchange, ApiRequest request, boolean write, long seen, boolean exact) {
        if (request.verb() == Verb.WATCH && exchange.status() == 200) {
            return watchStart(exchange, request);
        }
        Matcher current = Pattern.compile("current: (\\d+)").matcher(RecordedStates.text(exchange));
        if (current.find()) {
            return Long.parseLong(current.group(1));
        }
        if (exact) {
            return Math.max(Math.max(now, seen), states.latest());
        }
        if (write && request.verb() != Verb.DELETECOLLECTION) {
            return exchange.status() < 300 && seen > 0 && !RecordedStates.isNoChange(exchange.title()) ? seen - 1 : Math.max(now, seen);
        }
        return seen == 0 ? now : seen;
    }

    private long watchStart(Recording.Exchange exchange, ApiRequest request) {
        long from = number(request.query().text("resourceVersion"));
        Matcher expired = TOO_OLD.matcher(RecordedStates.text(exchange));
        Matcher current = Pattern.compile("current: (\\d+)").matcher(RecordedStates.text(exchange));
        if (expired.find()) {
            return Math.max(now, Long.parseLong(expired.group(2)));
        }
        if (current.find()) {
            return Long.parseLong(current.group(1));
        }
        long initial = 0;
        for (JsonNode event : RecordedStates.documents(RecordedStates.text(exchange))) {
            JsonNode metadata = event.path("object").path("metadata");
            if (metadata.path("annotations").has("k8s.io/initial-events-end")) {
                return metadata.path("resourceVersion").asLong();
            }
            if (!event.path("type").asString("").equals("ADDED")) {
                break;
            }
            initial = Math.max(initial, metadata.path("resourceVersion").asLong(0));
        }
        boolean state = from <= 0 || request.query().has("sendInitialEvents");
        return state ? Math.max(Math.max(initial, now), from) : from > 1_000_000 ? Math.max(now, 1) : from;
    }

    private static long number(String text) {
        return text.isEmpty() || !text.chars().allMatch(Character::isDigit) ? -1 : Long.parseLong(text);
    }

    /** The latest version that the answer tells of. */
    private static long versions(Recording.Exchange exchange) {
        long latest = 0;
        if (exchange.response().length > 0 && exchange.status() < 300) {
            Matcher version = Pattern.compile("\"resourceVersion\":\"(\\d+)\"").matcher(RecordedStates.text(exchange));
            while (version.find()) {
                latest = Math.max(latest, Long.parseLong(version.group(1)));
            }
        }
        return latest;
    }

    private void setUp(Recording.Exchange exchange, ApiRequest request, long start, Scene scene) {
        Cluster cluster = server.cluster();
        long history = history(exchange, request, start);
        Instant then = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(exchange.header("Date")));
        if (then.toEpochMilli() > time.now(TimeUnit.MILLISECONDS)) {
            time.advanceTimeTo(then);
        }
        namespace(request, history);
        types(start, scene);
        for (RecordedStates.Id id : states.ids()) {
            if (scene == null || !scene.lacks(id.name())) {
                states.at(id, history).ifPresent(state -> load(id, state));
            }
        }
        removeWhatTheAnswerLacks(exchange, request);
        cluster.forgetThrough(Math.min(history, start));
        Matcher expired = TOO_OLD.matcher(RecordedStates.text(exchange));
        if (expired.find()) {
            cluster.forgetThrough(Long.parseLong(expired.group(2)));
        }
        play(states.between(history, start));
        cluster.advanceTo(start);
        if (RecordedStates.text(exchange).contains("too old to display a consistent")
                || RecordedStates.text(exchange).contains("provided list is too old")) {
            server.compact();
        }
    }

    /** From where on the past is kept as events: what the request may reach back to. */
    private long history(Recording.Exchange exchange, ApiRequest request, long start) {
        long from = number(request.query().text("resourceVersion"));
        if (request.verb() == Verb.WATCH) {
            return from > 0 && from <= start ? from : start;
        }
        Matcher listed = Pattern.compile("\"metadata\":\\{\"resourceVersion\":\"(\\d+)\"").matcher(RecordedStates.text(exchange));
        return listed.find() ? Math.min(start, Long.parseLong(listed.group(1))) : start;
    }

    private void namespace(ApiRequest request, long at) {
        boolean absent = request.namespace() == null
                || request.namespace().startsWith("no")
                || states.knows(new RecordedStates.Id("", "namespaces", "", request.namespace()), at);
        if (!absent && server.cluster().get(definition("", "namespaces").orElseThrow(), null, request.namespace()) == null) {
            server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: " + request.namespace() + "}}");
        }
    }

    private void types(long start, Scene scene) {
        for (RecordedStates.Id id : states.ids()) {
            if (id.plural().equals("customresourcedefinitions") && (scene == null || !scene.lacks(id.name()))) {
                states.at(id, start).filter(crd -> crd.path("status").toString().contains("Established")).ifPresent(crd -> {
                    ObjectNode fresh = crd.deepCopy();
                    ((ObjectNode) fresh.path("metadata")).remove("resourceVersion");
                    server.objects().create(fresh);
                    server.cluster().load(definition(id.group(), id.plural()).orElseThrow(),
                            whole(definition(id.group(), id.plural()).orElseThrow(), crd));
                });
            }
        }
    }

    private Optional<ResourceDefinition> definition(String group, String plural) {
        return server.cluster().types().find(group, plural);
    }

    private void load(RecordedStates.Id id, ObjectNode state) {
        if (!id.plural().equals("customresourcedefinitions")) {
            definition(id.group(), id.plural()).ifPresent(type -> server.cluster().load(type, whole(type, state)));
        }
    }

    private static ObjectNode whole(ResourceDefinition type, ObjectNode state) {
        ObjectNode whole = state.deepCopy();
        return whole.put("kind", type.kind()).put("apiVersion", type.apiVersion(type.versions().get(0)));
    }

    private void play(List<RecordedStates.Change> changes) {
        for (RecordedStates.Change change : changes) {
            if (change.version() > server.cluster().version()) {
                server.cluster().advanceTo(change.version() - 1);
            }
            change.state().ifPresentOrElse(state -> load(change.id(), state), () -> remove(change.id(), change.version()));
        }
    }

    private void remove(RecordedStates.Id id, long version) {
        definition(id.group(), id.plural()).ifPresent(type -> {
            StoredObject object = server.cluster().get(type, id.namespace().isEmpty() ? null : id.namespace(), id.name());
            if (object != null) {
                server.cluster().unload(object, version);
            }
        });
    }

    /** Whole lists show that other objects, which were seen before, are gone. */
    private void removeWhatTheAnswerLacks(Recording.Exchange exchange, ApiRequest request) {
        boolean whole = (request.verb() == Verb.LIST || request.verb() == Verb.WATCH && initial(request))
                && exchange.status() == 200 && !request.query().has("limit")
                && !request.query().text("includeObject").equals("None") // which names no objects
                && !request.query().has("labelSelector") && !request.query().has("fieldSelector");
        definition(request.group(), request.plural()).filter(type -> whole).ifPresent(type -> {
            for (StoredObject object : server.cluster().list(type, Selection.namespace(request.namespace()), null).objects()) {
                if (!RecordedStates.text(exchange).contains("\"name\":\"" + object.name() + "\"")) {
                    server.cluster().unload(object, object.version());
                }
            }
        });
    }

    private static boolean initial(ApiRequest request) {
        return number(request.query().text("resourceVersion")) <= 0 || request.query().has("sendInitialEvents");
    }

    private String answer(Recording.Exchange exchange, ApiRequest request) {
        var answered = new Requests.Answered[1];
        var failure = new Throwable[1];
        Disposable sent = send(request).subscribe(answer -> answered[0] = answer, broken -> failure[0] = broken);
        for (int second = 0; second < 70 && answered[0] == null && failure[0] == null; second++) {
            time.advanceTimeBy(Duration.ofSeconds(1));
        }
        sent.dispose();
        if (exchange.response().length == 0) {
            return failure[0] instanceof TransportException ? "" : "an answer, where the connection was closed";
        }
        if (answered[0] == null) {
            return "no answer: " + failure[0];
        }
        return Comparison.difference(exchange, answered[0].status(), answered[0].headers(), answered[0].body());
    }

    private Mono<Requests.Answered> send(ApiRequest request) {
        byte[] body = request.http().body();
        return new Requests(server.transport())
                .answer(
                        request.http().method(),
                        request.http().uri(),
                        request.http().headers(),
                        body == null ? null : new String(body, StandardCharsets.UTF_8));
    }

    private String watch(Recording.Exchange exchange, ApiRequest request) {
        var body = new StringBuilder();
        var headers = new Headers[] {Headers.empty()};
        var ended = new String[1];
        Disposable watch = server.transport()
                .exchange(request.http(), answer -> {
                    headers[0] = answer.headers();
                    String type = answer.headers().first("Content-Type").orElse("");
                    return answer.body().doOnNext(line -> body.append(BodyText.of(type, ByteBufUtil.getBytes(line))));
                })
                .subscribe(line -> {}, failure -> ended[0] = failure.toString(), () -> ended[0] = "complete");
        long lived = 0;
        Integer timeout = request.query().integer("timeoutSeconds");
        for (JsonNode event : RecordedStates.documents(RecordedStates.text(exchange))) {
            long version = event.path("object").path("metadata").path("resourceVersion").asLong(0);
            boolean bookmark = event.path("type").asString("").equals("BOOKMARK");
            boolean initialEnd = event.path("object").path("metadata").path("annotations").has("k8s.io/initial-events-end");
            if (version > server.cluster().version()) {
                play(states.between(server.cluster().version(), version));
                server.cluster().advanceTo(version);
            }
            if (bookmark && !initialEnd) {
                long next = timeout == null ? 60 : Math.min(60, timeout - BEFORE_THE_END.toSeconds() - lived);
                time.advanceTimeBy(Duration.ofSeconds(next));
                lived += next;
            }
        }
        if (exchange.end() == Recording.End.COMPLETE || timeout != null) {
            time.advanceTimeBy(Duration.ofSeconds(timeout == null ? 3600 : timeout - lived));
        } else {
            time.advanceTimeBy(Duration.ofMillis(1));
        }
        boolean over = ended[0] != null;
        watch.dispose();
        String difference = Comparison.difference(exchange, 200, headers[0], body.toString());
        boolean shouldEnd = exchange.end() == Recording.End.COMPLETE;
        return !difference.isEmpty() ? difference : shouldEnd && !over ? "the watch did not end" : "";
    }
}
