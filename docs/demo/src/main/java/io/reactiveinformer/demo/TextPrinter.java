package io.reactiveinformer.demo;

import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.view.Change;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Prints aligned lines for people. Columns only grow, so that a line is aligned with those after it, whose width is not known yet. */
final class TextPrinter implements Printer {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    private static final int TYPE_WIDTH = 9;

    private final Lines out;
    private final boolean colours;
    private int nameWidth = 32;
    private int conditionWidth = 12;

    TextPrinter(Lines out, boolean colours) {
        this.out = out;
        this.colours = colours;
    }

    @Override
    public void change(Change<ObjectKey, ?> change) {
        change.accept(
                added -> object(Colour.GREEN, "ADDED", added.key(), added.entry(), added.entry().resourceVersion(), ""),
                updated -> object(
                        Colour.YELLOW, "UPDATED", updated.key(), updated.entryAfter(), updated.entryAfter().resourceVersion(), ""),
                deleted -> object(Colour.RED, "DELETED", deleted.key(), deleted.entry(), deleted.deletedAt(), switch (deleted.cause()) {
                    case OBSERVED -> "";
                    case INFERRED -> "  gone when listed again";
                    case LEFT -> "  left the selection";
                }),
                synced -> print(Colour.CYAN, "SYNCED", synced.count() + " objects" + at(synced.resourceVersion())));
    }

    @Override
    public void status(InformerStatus status) {
        Throwable cause = status.cause();
        Duration retryIn = status.retryIn();
        String facts = Stream.of(
                        cause == null ? "" : String.valueOf(cause.getMessage()),
                        status.attempt() == 0 ? "" : "failed tries: " + status.attempt(),
                        retryIn == null ? "" : "next in " + retryIn.toMillis() + " ms")
                .filter(fact -> !fact.isEmpty())
                .collect(Collectors.joining("; "));
        print(cause == null ? Colour.CYAN : Colour.MAGENTA, status.state().name(), facts);
    }

    @Override
    public void snapshot(@Nullable String resourceVersion, SortedMap<ObjectKey, ? extends Versioned<?>> objects) {
        print(Colour.CYAN, "SNAPSHOT", objects.size() + " objects" + at(resourceVersion));
        objects.forEach((key, entry) -> object(Colour.NONE, "", key, entry, entry.resourceVersion(), ""));
    }

    private void object(Colour colour, String type, ObjectKey key, Versioned<?> entry, @Nullable String version, String remark) {
        String name = key.toString();
        String condition = Condition.of(entry.object());
        nameWidth = Math.max(nameWidth, name.length());
        conditionWidth = Math.max(conditionWidth, condition.length());
        print(colour, type, pad(name, nameWidth) + "  " + pad(condition, conditionWidth) + at(version) + remark);
    }

    private void print(Colour colour, String type, String rest) {
        String line = LocalTime.now(ZoneId.systemDefault()).format(TIME) + "  " + pad(type, TYPE_WIDTH) + "  " + Lines.onOneLine(rest);
        out.print(colours ? colour.paint(line.stripTrailing()) : line.stripTrailing());
    }

    private static String at(@Nullable String version) {
        return version == null ? "" : "  at " + version;
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    /** The colours of terminals (ECMA-48, SGR). */
    private enum Colour {
        NONE(""), RED("\u001b[31m"), GREEN("\u001b[32m"), YELLOW("\u001b[33m"), MAGENTA("\u001b[35m"), CYAN("\u001b[36m");

        private final String start;

        Colour(String start) {
            this.start = start;
        }

        String paint(String text) {
            return start.isEmpty() ? text : start + text + "\u001b[0m";
        }
    }
}
