package io.reactiveinformer.test.faults;

import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Backup;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ModelObjects;
import io.reactiveinformer.apiserver.internal.cluster.YamlText;
import io.reactiveinformer.apiserver.internal.server.ApiRequest;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Says when a fault happens, and then, by the last call, which. Without more it is the next request, once, at its start. */
public final class FaultSetup {

    private final Faults faults;
    private final String name;
    private final Predicate<ApiRequest> which;
    private int skip;
    private int times = 1;
    private Point point = Point.START;

    FaultSetup(Faults faults, String name, Predicate<ApiRequest> which) {
        this.faults = faults;
        this.name = name;
        this.which = which;
    }

    /** Only within this namespace. */
    public FaultSetup in(String namespace) {
        FaultSetup narrower =
                new FaultSetup(faults, name + " in " + namespace, which.and(request -> namespace.equals(request.namespace())));
        narrower.skip = skip;
        narrower.times = times;
        narrower.point = point;
        return narrower;
    }

    /** Lets {@code n} such requests pass first. */
    public FaultSetup skip(int n) {
        skip = n;
        return this;
    }

    /** For so many requests. */
    public FaultSetup times(int n) {
        times = n;
        return this;
    }

    /** For every such request, until it is disarmed. */
    public FaultSetup always() {
        return times(Integer.MAX_VALUE);
    }

    /** A place in the answer, in the unit that the next call says. */
    public After after(long n) {
        return new After(n);
    }

    /** The unit of a place in the answer. */
    public final class After {
        private final long n;

        private After(long n) {
            this.n = n;
        }

        /** After so many events of the watch, bookmarks counted. */
        public FaultSetup events() {
            point = new Point(n, Point.Unit.EVENTS);
            return FaultSetup.this;
        }

        /** After so many bytes of the body. */
        public FaultSetup bytes() {
            point = new Point(n, Point.Unit.BYTES);
            return FaultSetup.this;
        }
    }

    /** The connection breaks, before any answer or at the place that was said. */
    public Fault cut(Cut way) {
        return add("cut by " + way + point, Effects.cut(point, way));
    }

    /** No answer at all: the connection is reset. */
    public Fault refuse() {
        return add("refused", Effects.refuse());
    }

    /** The headers come late. */
    public Fault delay(Duration delay) {
        return add("delayed by " + delay, Effects.delay(delay, faults.scheduler()));
    }

    /** Nothing more comes, and no end: at once without headers, later in mid-answer. */
    public Fault stall() {
        return add("stalled" + point, Effects.stall(point));
    }

    /** The answer ends as if it were complete, though it is not. */
    public Fault truncate() {
        return add("truncated" + point, Effects.truncate(point));
    }

    /** One event, or the first part of a list, cannot be read: it is no JSON and no protocol buffer. */
    public Fault garble() {
        return add("garbled" + point, Effects.change(events("garbled"), Bodies::garbled));
    }

    /** One event comes twice. */
    public Fault duplicate() {
        return add("duplicated" + point, Effects.change(events("duplicated"), Bodies::doubled));
    }

    /** One event comes after the next one of another object. */
    public Fault reorder() {
        return add("reordered" + point, Effects.reorder(events("reordered")));
    }

    /** The version is too old: on a watch as an ERROR event in a good answer, elsewhere as HTTP status 410. */
    public Fault expire() {
        return add("expired" + point, Effects.expire(point));
    }

    /** HTTP status 410, on a watch too, as older servers sent it. */
    public Fault gone() {
        return status(ApiFailure.expired("too old resource version"));
    }

    /** 429 with Retry-After, as plain text: the words of the filter in front of the API. */
    public Fault tooManyRequests(Duration retryAfter) {
        return add("429", Effects.text(429, "Too many requests, please try again later.\n", retryAfter));
    }

    /** A refusal in plain text, as proxies and Go's own handlers send it. */
    public Fault plainText(int code, String text) {
        return add(code + " as text", Effects.text(code, text));
    }

    /** 429 with a Status: a custom resource whose definition has just changed. */
    public Fault initializing() {
        return status(ApiFailure.tryAgain(429, "TooManyRequests", "storage is (re)initializing", 1));
    }

    /** 503 with Retry-After: the server has just begun. */
    public Fault notReady() {
        return status(ApiFailure.tryAgain(
                503, "ServiceUnavailable", "the request has been made before all known HTTP paths have been installed, please try again", 5));
    }

    /** 429 as plain text, on a connection that is closed after it: the server is about to end. */
    public Fault shuttingDown() {
        return add("429, shutting down", Effects.shuttingDown());
    }

    /** 500 with a Status. */
    public Fault internalError() {
        return status(500, "InternalError", "Internal error occurred: on command");
    }

    /** 504 with a Status that says that the version is from the future. */
    public Fault tooLargeVersion() {
        return status(ApiFailure.tooLarge("99999999", 1));
    }

    /** Any refusal with a Status. */
    public Fault status(int code, String reason, String message) {
        return status(ApiFailure.of(code, reason, message));
    }

    private Fault status(ApiFailure failure) {
        return add(failure.code() + " " + failure.getMessage(), Effects.status(failure));
    }

    /** A watch that is accepted and ends at once, in order. */
    public Fault endAtOnce() {
        return add("ended at once", Effects.truncate(Point.START));
    }

    /** A streaming list whose end is never told. */
    public Fault withholdInitialEventsEnd() {
        return add("without initial-events-end", Effects.withoutEndMark());
    }

    /** All history is forgotten before the request is looked at. */
    public Fault compact() {
        return add("compacted", Effects.before(faults.host()::compact));
    }

    /** The server is killed while it has the request, and begins anew: connections are reset, this one too, and history is forgotten. */
    public Fault restart() {
        return add("restarted", Effects.instead(faults.host()::restart));
    }

    /** The same, but of each type's history the latest {@code events} are there, as when another server takes over. */
    public Fault restartKeeping(int events) {
        return add("restarted, keeping " + events + " events", Effects.instead(() -> faults.host().restartKeeping(events)));
    }

    /** As {@link #restart}, over an older store: what has happened since has not, and versions go back. */
    public Fault restore(Backup backup) {
        return add("restored to " + backup.version(), Effects.instead(() -> faults.host().restore(backup)));
    }

    /**
     * The server says that it has done what was asked, and answers with this object, but has done nothing: for the code under test alone, as client-go's
     * reactors are.
     *
     * @param object YAML or JSON text, a tree or a model class; of kind Status it is a refusal if its code says so
     */
    public Fault answer(Object object) {
        ObjectNode tree = object instanceof CharSequence text ? only(YamlText.read(text.toString()))
                : object instanceof ObjectNode given ? given.deepCopy() : ModelObjects.tree(object);
        return add("answered " + Json.text(tree, "kind"), Effects.answer(tree));
    }

    private static ObjectNode only(List<JsonNode> documents) {
        if (documents.size() != 1 || !(documents.get(0) instanceof ObjectNode object)) {
            throw new IllegalArgumentException("an answer is one object, was " + documents.size() + " documents");
        }
        return object;
    }

    private long events(String what) {
        if (point.unit() != Point.Unit.EVENTS) {
            throw new IllegalStateException("an event is " + what + " after(n).events(), not after so many bytes");
        }
        return point.count();
    }

    private Fault add(String what, Effect effect) {
        return faults.add(new Fault(name + " " + what, which, request -> effect, skip, times));
    }
}
