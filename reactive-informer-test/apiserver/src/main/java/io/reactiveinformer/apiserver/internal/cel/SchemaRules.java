package io.reactiveinformer.apiserver.internal.cel;

import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The rules of a definition's schema ({@code x-kubernetes-validations}). Not for several threads: it is used within writes.
 *
 * @see <a
 * href="https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules">Validation
 *     rules</a>
 */
public final class SchemaRules {

    static final String FIELD = "x-kubernetes-validations";

    private final JsonNode schema;
    private final boolean present;
    private @Nullable Level compiled;

    /** Compiles the rules of a schema when they are needed. */
    public SchemaRules(JsonNode schema) {
        this.schema = schema;
        this.present = schema.findValue(FIELD) != null;
    }

    /** Whether there are any. */
    public boolean isPresent() {
        return present;
    }

    /**
     * What is wrong with the rules themselves.
     *
     * @param path of the schema
     */
    public static List<Problem> problems(JsonNode schema, String path) {
        List<Problem> problems = new ArrayList<>();
        if (new SchemaRules(schema).present) {
            new RuleReader(problems).read(SchemaTypes.prepared(schema), path, "");
        }
        return problems;
    }

    /**
     * What is wrong with an object that has its defaults. A problem without a reason was there before, and is only worth a warning.
     *
     * @param old missing for a creation
     */
    public List<Problem> check(JsonNode old, JsonNode object) {
        List<Problem> problems = new ArrayList<>();
        if (present && compiled == null) {
            compiled = new RuleReader(new ArrayList<>()).read(SchemaTypes.prepared(schema), "", "");
        }
        if (compiled != null) {
            compiled.check("", old, object, false, problems);
        }
        return problems;
    }
}
