package io.reactiveinformer.spring;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.Remembered;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.codec.ServerSentEvent;
import reactor.core.publisher.Flux;

/**
 * What a browser is told together: rows, or a pulse.
 *
 * @param selection the number of the selection that the rows are of
 * @param latest the number of the latest one
 * @param pulse its data; empty if it is none
 */
record Told(int selection, AtomicInteger latest, List<Remembered<ObjectKey, StreamRow>> rows, String pulse) {

    private static final String NOTHING = "{}";
    private static final int ENOUGH = 32 * 1024;

    static Told pulse(InformerStatus status) {
        Instant since = status.staleSince();
        return new Told(0, new AtomicInteger(), List.of(), since == null ? NOTHING : "{\"staleSince\":\"" + since + "\"}");
    }

    /** Whether the rows may still be told. */
    boolean isPresent() {
        return selection == latest.get();
    }

    /** The only row of these, or the pulse, as a message of a WebSocket. */
    String message() {
        if (rows.isEmpty()) {
            return "{\"event\":\"pulse\",\"data\":" + pulse + "}";
        }
        Remembered<ObjectKey, StreamRow> row = rows.get(0);
        return "{\"event\":\"" + name(row) + "\",\"position\":\"" + row.position() + "\",\"data\":" + data(row) + "}";
    }

    /** The only row of these, or the pulse, as a server-sent event. */
    ServerSentEvent<String> event(Duration retry) {
        if (rows.isEmpty()) {
            return ServerSentEvent.builder(pulse).event("pulse").build();
        }
        Remembered<ObjectKey, StreamRow> row = rows.get(0);
        var event = ServerSentEvent.builder(data(row)).event(name(row)).id(row.position());
        return (isOfAll(row) ? event.retry(retry) : event).build();
    }

    /** All of it as server-sent events, in pieces of some kilobytes each, as long as they may be told. */
    Flux<String> pieces(Duration retry) {
        if (rows.isEmpty()) {
            return Flux.just("event:pulse\ndata:" + pulse + "\n\n");
        }
        return Flux.generate(rows::iterator, (rest, sink) -> {
            var piece = new StringBuilder();
            while (rest.hasNext() && piece.length() < ENOUGH && isPresent()) {
                Remembered<ObjectKey, StreamRow> row = rest.next();
                if (isOfAll(row)) {
                    piece.append("retry:").append(retry.toMillis()).append('\n');
                }
                piece.append("event:").append(name(row)).append("\ndata:").append(data(row)).append("\nid:").append(row.position()).append("\n\n");
            }
            if (piece.isEmpty()) {
                sink.complete();
            } else {
                sink.next(piece.toString());
            }
            return rest;
        });
    }

    private static boolean isOfAll(Remembered<ObjectKey, StreamRow> row) {
        return row instanceof Remembered.Synced || row instanceof Remembered.Reset;
    }

    private static String name(Remembered<ObjectKey, StreamRow> one) {
        return one instanceof Remembered.Row ? "row" : one instanceof Remembered.Gone ? "gone" : one instanceof Remembered.Reset ? "reset"
                : "synced";
    }

    private static String data(Remembered<ObjectKey, StreamRow> one) {
        return one instanceof Remembered.Row<ObjectKey, StreamRow> row ? row.entry().object().json()
                : one instanceof Remembered.Gone<ObjectKey, StreamRow> gone ? "{\"key\":" + StreamRow.quoted(gone.key()) + "}" : NOTHING;
    }
}
