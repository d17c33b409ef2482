package io.reactiveinformer.internal.protobuf;

import io.reactiveinformer.internal.protobuf.Messages.Count;
import io.reactiveinformer.internal.protobuf.Messages.Field;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of messages against {@code numbers.txt}, which another script makes from Kubernetes' {@code generated.proto} and {@code
 * types.go}. Client, fake server and their tests all read and write by the table: they agree whatever it says.
 */
class MessagesTest {

    private static List<String> sources() throws IOException {
        try (InputStream stream = MessagesTest.class.getResourceAsStream("numbers.txt")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines().filter(line -> !line.startsWith("#")).toList();
        }
    }

    /** A field of the table as the sources would have it: number, JSON name, type, pointer, omitted, marks of patches. */
    private static String shown(Field field) {
        String type = field.type().substring(field.type().lastIndexOf('.') + 1);
        String count = field.count() == Count.LIST ? "[]" : field.count() == Count.MAP ? "map:" : "";
        List<String> merge = field.marks().get("merge");
        return field.number() + " " + count + type + (field.pointer() ? "*" : "") + (field.omitEmpty() ? "?" : "")
                + (merge == null ? "" : " merge" + (merge.isEmpty() ? "" : " " + merge.get(0)))
                + (field.marks().containsKey("replace") ? " replace" : "");
    }

    /** A field of the sources, such as {@code 1 volumes []Volume? merge+retainKeys name}, in the same form. */
    private static String shown(Field own, String source) {
        List<String> words = List.of(source.split(" ", -1));
        String type = words.get(2).replaceAll("[*?!]", "");
        boolean pointer = words.get(2).contains("*");
        boolean isStruct = own.count() == Count.ONE && own.type().contains(".") && !pointer;
        boolean omitted = words.get(2).contains("!") || words.get(2).contains("?") && !isStruct;
        List<String> strategies = words.size() < 4 ? List.of() : Arrays.asList(words.get(3).split("\\+", -1));
        boolean merges = strategies.contains("merge") && type.startsWith("[]");
        return words.get(0) + " " + type + (pointer ? "*" : "") + (omitted ? "?" : "")
                + (merges ? " merge" + (words.size() > 4 ? " " + words.get(4) : "") : strategies.contains("replace") ? " replace" : "");
    }

    @Test
    void hasEachFieldAsKubernetesHasIt() throws IOException {
        List<String> wrong = new ArrayList<>();
        int compared = 0;
        for (String line : sources()) {
            String message = line.substring(0, line.indexOf(": "));
            Map<Integer, Field> left = new HashMap<>(Messages.builtIn().get(message));
            for (String source : line.substring(message.length() + 2).split(", ", -1)) {
                if (source.isEmpty()) {
                    continue; // a message without fields
                }
                Field own = left.remove(Integer.parseInt(source.substring(0, source.indexOf(' '))));
                String name = source.split(" ", -1)[1];
                if (own == null || !shown(own).equals(shown(own, source)) || !isNamed(own, name)) {
                    wrong.add(message + ": " + source + " is " + (own == null ? "missing" : own.name() + " " + shown(own)));
                }
                compared++;
            }
            left.values().forEach(own -> wrong.add(message + " has no " + own));
        }
        assertThat(wrong).isEmpty();
        assertThat(compared).isGreaterThan(2000);
    }

    /** Names are the same in both but for a few that are written otherwise, such as {@code $ref} and {@code x-kubernetes-map-type}. */
    private static boolean isNamed(Field own, String name) {
        return own.inline() || own.name().replaceAll("[$-]", "").equalsIgnoreCase(name.replace("_", ""));
    }

    @Test
    void theSourcesHaveAllMessagesOfTheTable() throws IOException {
        try (InputStream table = Messages.class.getResourceAsStream("messages.txt")) {
            Stream<String> messages = new String(table.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(line -> !line.startsWith(" ") && !line.startsWith("#"));
            assertThat(sources()).extracting(line -> line.substring(0, line.indexOf(':')))
                    .containsExactlyInAnyOrderElementsOf(messages.map(line -> line.split(" ", -1)[0]).toList());
        }
    }
}
