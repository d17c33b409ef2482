package io.reactiveinformer.apiserver.internal.validation;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** Checks the text of a CronJob's schedule, with the messages of the server's parser. */
final class CronSchedule {

    private static final Set<String> DESCRIPTORS =
            Set.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");
    private static final List<Bounds> FIELDS = List.of(new Bounds(0, 59, List.of()), new Bounds(0, 23, List.of()),
            new Bounds(1, 31, List.of()), new Bounds(1, 12, List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct",
                    "nov", "dec")), new Bounds(0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat")));

    private record Bounds(int first, int last, List<String> names) {}

    /** Thrown for the first thing that is wrong. */
    private static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Wrong(String message) {
            super(message, null, false, false);
        }
    }

    private CronSchedule() {}

    /** What is wrong with the schedule; empty if nothing is. */
    static String problem(String schedule) {
        String text = schedule.replaceFirst("^(CRON_)?TZ=\\S+ ", "").trim();
        if (text.startsWith("@")) {
            return DESCRIPTORS.contains(text) || text.matches("@every ([0-9.]+(ns|us|ms|s|m|h))+") ? ""
                    : "unrecognized descriptor: " + text;
        }
        List<String> fields = Stream.of(text.split("\\s+", -1)).filter(each -> !each.isEmpty()).toList();
        if (fields.size() != FIELDS.size()) {
            return "expected exactly 5 fields, found " + fields.size() + ": [" + String.join(" ", fields) + "]";
        }
        try {
            for (int i = 0; i < fields.size(); i++) {
                for (String range : fields.get(i).split(",", -1)) {
                    range(range, FIELDS.get(i));
                }
            }
            return "";
        } catch (Wrong wrong) {
            return String.valueOf(wrong.getMessage());
        }
    }

    private static void range(String range, Bounds bounds) {
        String[] steps = range.split("/", -1);
        String[] ends = steps[0].split("-", -1);
        if (ends.length > 2) {
            throw new Wrong("too many hyphens: " + range);
        }
        boolean all = ends[0].equals("*") || ends[0].equals("?");
        int first = all ? bounds.first() : number(ends[0], bounds);
        int last = all || steps.length > 1 && ends.length == 1 ? bounds.last() : number(ends[ends.length - 1], bounds);
        if (steps.length > 2) {
            throw new Wrong("too many slashes: " + range);
        }
        int step = steps.length == 2 ? number(steps[1], new Bounds(0, 0, List.of())) : 1;
        String wrong = first < bounds.first() ? "beginning of range (" + first + ") below minimum (" + bounds.first() + "): "
                : last > bounds.last() ? "end of range (" + last + ") above maximum (" + bounds.last() + "): "
                : first > last ? "beginning of range (" + first + ") beyond end of range (" + last + "): "
                : step == 0 ? "step of range should be a positive number: " : "";
        if (!wrong.isEmpty()) {
            throw new Wrong(wrong + range);
        }
    }

    private static int number(String text, Bounds bounds) {
        int named = bounds.names().indexOf(text.toLowerCase(Locale.ROOT));
        if (named >= 0) {
            return named + bounds.first();
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= 0) {
                return number;
            }
            throw new Wrong("negative number (" + number + ") not allowed: " + text);
        } catch (NumberFormatException failure) {
            throw new Wrong("failed to parse int from " + text + ": strconv.Atoi: parsing \"" + text + "\": invalid syntax");
        }
    }
}
