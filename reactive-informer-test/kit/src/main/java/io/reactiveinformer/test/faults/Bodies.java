package io.reactiveinformer.test.faults;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.server.EventBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import tools.jackson.databind.JsonNode;

/** Changes to the bodies of answers. The server sends each event of a watch in one buffer. */
final class Bodies {

    /** Longer than a varint, which has at most ten bytes. */
    private static final int ENDLESS_TAG = 12;

    private Bodies() {}

    /** The body up to a point, followed by {@code then}; the whole body if it ends before. */
    static Flux<ByteBuf> upTo(Point point, Flux<ByteBuf> body, Supplier<Flux<ByteBuf>> then) {
        return Flux.defer(() -> {
            var progress = new Progress(point);
            if (progress.reached()) {
                return then.get();
            }
            return body.map(progress::pass).takeUntil(part -> progress.reached())
                    .concatWith(Flux.defer(() -> progress.reached() ? then.get() : Flux.empty()));
        });
    }

    /** The body with the event of this index replaced by others. */
    static Flux<ByteBuf> at(long event, Flux<ByteBuf> body, EventChange change) {
        return body.index().concatMapIterable(indexed -> indexed.getT1() == event
                ? change.apply(indexed.getT2()) : List.of(indexed.getT2()));
    }

    /** Replaces one event. */
    interface EventChange {
        List<ByteBuf> apply(ByteBuf event);
    }

    /**
     * Writes bytes into the middle that are not JSON, but keeps the line; in protocol buffers writes a tag that does not end, but keeps the
     * length.
     */
    static List<ByteBuf> garbled(ByteBuf event) {
        byte[] bytes = bytes(event);
        if (EventBytes.isProtobuf(bytes) || bytes.length > 3 && bytes[0] == 'k' && bytes[3] == 0) {
            Arrays.fill(bytes, Integer.BYTES, Math.min(bytes.length, Integer.BYTES + ENDLESS_TAG), (byte) 0xFF);
        } else {
            for (int i = bytes.length / 3; i < bytes.length / 2; i++) {
                bytes[i] = (byte) (0x80 | i);
            }
        }
        return List.of(Unpooled.wrappedBuffer(bytes));
    }

    static List<ByteBuf> doubled(ByteBuf event) {
        byte[] bytes = bytes(event);
        return List.of(Unpooled.wrappedBuffer(bytes), Unpooled.wrappedBuffer(bytes.clone()));
    }

    /**
     * The body with the event of this index delayed until one of another object has been sent. If the next event is of the same object, or
     * there is none, the order stays.
     */
    static Flux<ByteBuf> reordered(long event, Flux<ByteBuf> body, Runnable happened) {
        return Flux.defer(() -> {
            var held = new Held(event, happened);
            return body.index()
                    .concatMapIterable(indexed -> held.pass(indexed.getT1(), indexed.getT2()))
                    .concatWith(Flux.defer(() -> Flux.fromIterable(held.rest())));
        });
    }

    /** The body without the event that says that a streaming list is complete. */
    static Flux<ByteBuf> withoutEndMark(Flux<ByteBuf> body, Runnable happened) {
        return body.filter(event -> {
            boolean mark = EventBytes.read(event).filter(Bodies::isEndMark).isPresent();
            if (mark) {
                happened.run();
            }
            return !mark;
        });
    }

    private static boolean isEndMark(JsonNode event) {
        return Json.text(event, "type").equals("BOOKMARK")
                && event.path("object").path("metadata").path("annotations").has("k8s.io/initial-events-end");
    }

    private static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        buffer.release();
        return bytes;
    }

    private static final class Progress {
        private final Point point;
        private long passed;

        Progress(Point point) {
            this.point = point;
        }

        boolean reached() {
            return passed >= point.count();
        }

        ByteBuf pass(ByteBuf part) {
            if (point.unit() == Point.Unit.EVENTS) {
                passed++;
                return part;
            }
            int here = (int) Math.min(part.readableBytes(), point.count() - passed);
            passed += here;
            return part.readSlice(here);
        }
    }

    private static final class Held {
        private final long event;
        private final Runnable happened;
        private @Nullable ByteBuf held;
        private String key = "";

        Held(long event, Runnable happened) {
            this.event = event;
            this.happened = happened;
        }

        List<ByteBuf> pass(long index, ByteBuf part) {
            ByteBuf waiting = held;
            if (waiting != null) {
                if (key(part).equals(key)) {
                    held = null;
                    return List.of(waiting, part);
                }
                held = null;
                happened.run();
                return List.of(part, waiting);
            }
            if (index == event) {
                held = part;
                key = key(part);
                return List.of();
            }
            return List.of(part);
        }

        List<ByteBuf> rest() {
            List<ByteBuf> rest = new ArrayList<>();
            if (held != null) {
                rest.add(held);
            }
            return rest;
        }

        private static String key(ByteBuf event) {
            JsonNode object = EventBytes.read(event).map(read -> read.path("object")).orElseGet(Json::object);
            return Json.text(object, "metadata", "namespace") + "/" + Json.text(object, "metadata", "name");
        }
    }
}
