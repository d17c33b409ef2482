package io.reactiveinformer.demo;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.InformerStatus;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Prints aligned lines for people. Columns have a fixed width: a longer name moves the rest of its own line only. On a terminal, a line
 * that does not fit gives up its version first, then its padding, then its time; what is too long even so is cut.
 */
final class TextPrinter implements Printer {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    private static final int TYPE_WIDTH = 9;
    private static final int CONDITION_WIDTH = 12;
    private static final int LEAST_NAME_WIDTH = 26;
    private static final int USUAL_NAME_WIDTH = 36;
    private static final int MOST_NAME_WIDTH = 56;
    private static final int WIDTH_OF_THE_REST = 84;

    private final Lines out;
    private final boolean colours;
    private final int width;
    private final int nameWidth;

    /** @param width the columns of the terminal; 0 if the output is none, or its width is not known */
    TextPrinter(Lines out, boolean colours, int width) {
        this.out = out;
        this.colours = colours;
        this.width = width;
        this.nameWidth = width == 0 ? USUAL_NAME_WIDTH
                : Math.max(LEAST_NAME_WIDTH, Math.min(MOST_NAME_WIDTH, width - WIDTH_OF_THE_REST));
    }

    @Override
    public void change(Change<ObjectKey, ?> change) {
        change.accept(
                added -> object(Colour.GREEN, "ADDED", added.key(), condition(added.entry()), added.entry().resourceVersion(), ""),
                updated -> object(Colour.YELLOW, "UPDATED", updated.key(), difference(updated.entryBefore(), updated.entryAfter()),
                        updated.entryAfter().resourceVersion(), ""),
                deleted -> object(Colour.RED, "DELETED", deleted.key(), condition(deleted.entry()), deleted.deletedAt(),
                        switch (deleted.cause()) {
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
        objects.forEach((key, entry) -> object(Colour.NONE, "", key, condition(entry), entry.resourceVersion(), ""));
    }

    private static String condition(Versioned<?> entry) {
        return Condition.of(entry.object());
    }

    /** {@code Pending 0/1 → Running 1/1}, and the fields that the condition does not show. */
    private static String difference(Versioned<?> before, Versioned<?> after) {
        String then = condition(before);
        String now = condition(after);
        Difference difference = Difference.between(before.object(), after.object());
        return Stream.of(then.equals(now) ? now : then + " → " + withoutSameWord(then, now),
                        then.equals(now) ? difference.summary() : difference.essentials())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    /** {@code 0/1} of {@code Running 0/1} after {@code Running 1/1}. */
    private static String withoutSameWord(String then, String now) {
        int word = now.indexOf(' ') + 1;
        return word > 0 && then.startsWith(now.substring(0, word)) ? now.substring(word) : now;
    }

    private void object(Colour colour, String type, ObjectKey key, String condition, @Nullable String version, String remark) {
        String name = pad(key.toString(), nameWidth) + "  ";
        print(colour, type,
                name + pad(condition, CONDITION_WIDTH) + at(version) + remark,
                name + condition + remark,
                key + "  " + condition + remark);
    }

    /** @param forms the same, each shorter than the one before; the first that fits is printed */
    private void print(Colour colour, String type, String... forms) {
        String time = LocalTime.now(ZoneId.systemDefault()).format(TIME) + "  ";
        String shortest = forms[forms.length - 1];
        String line = Stream.concat(Stream.of(forms).map(form -> time + line(type, form)), Stream.of(line(type, shortest)))
                .filter(this::fits)
                .findFirst()
                .orElseGet(() -> cut(line(type, shortest)));
        out.print(colours ? colour.paint(line) : line);
    }

    private static String line(String type, String rest) {
        return (pad(type, TYPE_WIDTH) + "  " + Lines.onOneLine(rest)).stripTrailing();
    }

    private boolean fits(String line) {
        return width == 0 || line.length() <= width;
    }

    private String cut(String line) {
        return line.substring(0, Math.max(0, width - 1)) + "…";
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
