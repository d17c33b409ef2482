package io.reactiveinformer.apiserver.internal.cluster;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads YAML, and so JSON too, as trees, one for each document; and writes it. */
public final class YamlText {

    private static final Pattern PLAIN = Pattern.compile("\\.|[A-Za-z_/]([A-Za-z0-9_./-]|:(?=[A-Za-z0-9_./-])| (?=[A-Za-z0-9_./-]))*");

    /** Words that YAML 1.1 reads as a boolean or as null. */
    private static final Pattern WORDS = Pattern.compile("(?i)y|n|yes|no|on|off|true|false|null");

    /** Values that aliases may make of a text, as in the real server; a longer text may have one for each character. */
    private static final int MOST_REPEATED = 400_000;

    private static final DumpSettings FORM = DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).setSplitLines(false)
            .setMaxSimpleKeyLength(1024).build();

    private int remaining; // values that may still be made

    private YamlText(int remaining) {
        this.remaining = remaining;
    }

    /**
     * Reads all documents of a text.
     *
     * @throws YamlEngineException if this is not YAML, or repeats too much by aliases
     */
    public static List<JsonNode> read(String text) {
        List<JsonNode> documents = new ArrayList<>();
        var trees = new YamlText(Math.max(MOST_REPEATED, text.length()));
        try {
            for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(text)) {
                if (document != null) {
                    documents.add(trees.tree(document));
                }
            }
        } catch (StackOverflowError nested) {
            throw new YamlEngineException("exceeded max depth");
        }
        return documents;
    }

    /**
     * Writes one document as the real server does: keys in order, lists not indented, text in quotes where it could be read as another
     * type.
     */
    public static String write(JsonNode tree) {
        return new Dump(FORM, new Texts()).dumpToString(Json.value(ObjectForm.sorted(tree)));
    }

    private static final class Texts extends StandardRepresenter {

        Texts() {
            super(FORM);
            representers.put(String.class, text -> representScalar(Tag.STR, text.toString(), isPlain(text.toString())
                    ? ScalarStyle.PLAIN : ScalarStyle.DOUBLE_QUOTED));
        }

        private static boolean isPlain(String text) {
            return PLAIN.matcher(text).matches() && !WORDS.matcher(text).matches();
        }
    }

    private JsonNode tree(@Nullable Object value) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (--remaining < 0) {
            throw new YamlEngineException("document contains excessive aliasing");
        }
        if (value instanceof Map<?, ?> map) {
            ObjectNode object = nodes.objectNode();
            map.forEach((key, field) -> object.set(String.valueOf(key), tree(field)));
            return object;
        }
        if (value instanceof Iterable<?> items) {
            ArrayNode array = nodes.arrayNode();
            items.forEach(item -> array.add(tree(item)));
            return array;
        }
        return Json.tree(value instanceof BigInteger number ? number.doubleValue() : value);
    }
}
