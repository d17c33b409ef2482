package io.reactiveinformer.apiserver.internal.cel;

import com.google.common.base.Throwables;
import dev.cel.bundle.Cel;
import dev.cel.bundle.CelBuilder;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelErrorCode;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelListsExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.validator.CelValidator;
import dev.cel.validator.CelValidatorFactory;
import dev.cel.validator.validators.DurationLiteralValidator;
import dev.cel.validator.validators.RegexLiteralValidator;
import dev.cel.validator.validators.TimestampLiteralValidator;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A compiled expression. */
record Expression(CelRuntime.Program program, CelType type, Set<String> names) {

    /** The language as the server has it, without variables. To make it takes half a second, which only the first rule has to wait for. */
    static final Cel LANGUAGE = language();

    /** About what the server's limit of cost allows: it counts the work in each round as well. */
    private static final int MOST_ROUNDS = 250_000;

    /** Thrown with the server's message for an expression that cannot be compiled, or has no result. Has no stack trace. */
    static final class Failure extends Exception {
        private static final long serialVersionUID = 1L;

        Failure(String message) {
            super(message, null, false, false);
        }

        boolean isLimit() {
            return String.valueOf(getMessage()).startsWith("operation cancelled");
        }
    }

    @SuppressWarnings("deprecation") // with homogeneous literals the messages are those of the server, with their validator not
    private static Cel language() {
        CelOptions options = CelOptions.current().enableHeterogeneousNumericComparisons(true).enableHomogeneousLiterals(true)
                .comprehensionMaxIterations(MOST_ROUNDS).build();
        var texts = CelExtensions.strings(EnumSet.complementOf(EnumSet.of(CelStringExtensions.Function.REVERSE)));
        CelListsExtensions lists = CelExtensions.lists();
        CelBuilder cel = CelFactory.plannerCelBuilder().setOptions(options).setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addCompilerLibraries(texts, lists, CelExtensions.sets(options), CelExtensions.optional(), CelExtensions.comprehensions())
                .addRuntimeLibraries(texts, lists, CelExtensions.sets(options), CelExtensions.optional(), CelExtensions.comprehensions());
        Functions.addTo(cel);
        return cel.build();
    }

    /** @throws Failure if it cannot be compiled */
    static Expression compile(Cel cel, String text) throws Failure {
        CelValidator literals = CelValidatorFactory.standardCelValidatorBuilder(cel).addAstValidators(RegexLiteralValidator.INSTANCE,
                DurationLiteralValidator.INSTANCE, TimestampLiteralValidator.INSTANCE).build();
        try {
            CelValidationResult checked = cel.compile(text);
            CelValidationResult result = checked.hasError() ? checked : literals.validate(checked.getAst());
            if (result.hasError()) {
                throw new Failure("compilation failed: " + result.getErrorString()
                        .replaceAll("(?m) \\(candidates: .*\\)$", "")
                        .replaceAll("(?m)^(ERROR: <input>:\\d+:\\d+: )(?=no viable|mismatched|extraneous|token recognition|missing)",
                                "$1Syntax error: ")
                        .replaceAll("(?s)Regex validation failed.*?(?=\n \\|)", "invalid matches argument")
                        .replaceAll("(duration|timestamp) validation failed.*", "invalid $1 argument"));
            }
            CelAbstractSyntaxTree tree = result.getAst();
            return new Expression(cel.createProgram(tree), tree.getResultType(), tree.getReferenceMap().values().stream()
                    .map(reference -> reference.name()).collect(Collectors.toSet()));
        } catch (CelValidationException | CelEvaluationException failure) {
            throw new Failure("program instantiation failed: " + failure.getMessage());
        }
    }

    /** @throws Failure if it has no result, with the server's words for the usual reasons */
    Object value(Map<String, ?> variables) throws Failure {
        try {
            return program.eval(variables);
        } catch (CelEvaluationException failure) {
            throw new Failure(reason(failure));
        }
    }

    private static String reason(CelEvaluationException failure) {
        CelErrorCode code = failure.getErrorCode();
        String why = String.valueOf(Throwables.getRootCause(failure).getMessage());
        return switch (code) {
            case ATTRIBUTE_NOT_FOUND -> "no such key: " + why.replaceAll("^key '(.*)' is not present in map\\.$", "$1");
            case INDEX_OUT_OF_BOUNDS -> why.replace("Index", "index");
            case DIVIDE_BY_ZERO -> "division by zero"; // or modulus, which cannot be told here
            case BAD_FORMAT -> why.startsWith("For input string") ? "type conversion error from 'string' to 'int'" : why;
            case OVERLOAD_NOT_FOUND -> "no such overload";
            case NUMERIC_OVERFLOW -> "integer overflow";
            case ITERATION_BUDGET_EXCEEDED -> "operation cancelled: actual cost limit exceeded";
            default -> Throwables.getRootCause(failure) instanceof ClassCastException ? "no such overload" : why.replaceFirst(
                    "^evaluation error: \\w+ failure: (?:Range \\[(\\d+).*|Index out of range: (\\d+))$", "index out of range: $1$2");
        };
    }
}
