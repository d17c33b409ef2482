package io.reactiveinformer.apiserver.internal.validation;

import io.reactiveinformer.apiserver.internal.schema.FieldRules;
import io.reactiveinformer.internal.protobuf.Messages;
import io.reactiveinformer.internal.protobuf.Messages.Field;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Orders problems as the server does, nearly: by the order of the fields in Go, the parts of a value before the value itself.
 */
final class FieldOrder {

    private static final Comparator<List<Integer>> BY_POSITION = (one, other) -> {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int compared = Integer.compare(one.get(i), other.get(i));
            if (compared != 0) {
                return compared;
            }
        }
        return Integer.compare(other.size(), one.size());
    };

    private FieldOrder() {}

    static List<Problem> sorted(String message, List<Problem> problems) {
        return problems.stream().sorted(Comparator.comparing(problem -> position(message, problem.field()), BY_POSITION)).toList();
    }

    private static List<Integer> position(String root, String path) {
        List<Integer> position = new ArrayList<>();
        String message = root;
        boolean whole = false;
        for (String step : path.split("\\.|(?=\\[)", -1)) {
            if (step.matches("\\[\\d{1,9}]")) {
                position.add(Integer.valueOf(step.substring(1, step.length() - 1)));
            } else if (!step.startsWith("[")) {
                List<Field> fields = fields(message).toList();
                FieldRules rules = FieldRules.of(message, step);
                int index = fields.stream().map(Field::name).toList().indexOf(step);
                position.add(rules.has("rank") ? Integer.parseInt(rules.get("rank")) : index < 0 ? fields.size() : index);
                whole = rules.has("whole-first");
                message = index < 0 ? "" : fields.get(index).type();
            }
        }
        if (whole && !path.endsWith("]")) {
            position.add(Integer.MIN_VALUE);
        }
        return position;
    }

    private static Stream<Field> fields(String message) {
        return Messages.builtIn().find(message).stream().flatMap(fields -> fields.values().stream())
                .flatMap(field -> field.inline() ? fields(field.type()) : Stream.of(field));
    }
}
