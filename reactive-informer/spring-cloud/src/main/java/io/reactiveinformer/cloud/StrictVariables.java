package io.reactiveinformer.cloud;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NativeDetector;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Refuses environment variables below {@link CloudProperties#PREFIX} that Spring Boot does not bind: of variables it refuses none itself.
 * Kubernetes' own variables for a Service, such as {@code REACTIVEINFORMER_CLOUD_SERVICE_HOST}, pass.
 */
final class StrictVariables {

    private static final Pattern VARIABLE = Pattern.compile("(REACTIVE_?INFORMER_CLOUD_)(\\w+?)(_\\d*)*", Pattern.CASE_INSENSITIVE);
    private static final Pattern OF_A_SERVICE = Pattern.compile("(\\w+_)?(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT(_\\d+_\\w+)?)");

    private StrictVariables() {}

    /** @throws ConfigNotReadException if a variable is none of a property; proposes the one that may be meant */
    static void check(Environment environment) {
        if (NativeDetector.inNativeImage() || !(environment instanceof ConfigurableEnvironment configurable)) {
            return; // without records' components
        }
        Map<String, String> properties = Arrays.stream(CloudProperties.class.getRecordComponents())
                .map(component -> component.getName().replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT))
                .collect(Collectors.toMap(dashed -> dashed.replace("_", ""), Function.identity()));
        configurable.getPropertySources().stream()
                .flatMap(source -> source instanceof SystemEnvironmentPropertySource system
                        ? Arrays.stream(system.getPropertyNames()) : Stream.empty())
                .forEach(variable -> {
                    String action = instead(variable, properties);
                    if (action != null) {
                        throw new ConfigNotReadException("there is no property for the environment variable " + variable, action);
                    }
                });
    }

    private static @Nullable String instead(String variable, Map<String, String> properties) {
        Matcher parts = VARIABLE.matcher(variable);
        if (!parts.matches()) {
            return null;
        }
        String written = parts.group(2).toUpperCase(Locale.ROOT);
        if (OF_A_SERVICE.matcher(written).matches()) {
            return null;
        }
        String plain = written.replace("_", "");
        if (!properties.containsKey(plain)) {
            return "Write REACTIVEINFORMER_CLOUD_ and one of "
                    + properties.keySet().stream().sorted().collect(Collectors.joining(", ")) + ".";
        }
        boolean dashed = parts.group(1).length() > "REACTIVEINFORMER_CLOUD_".length();
        return written.equals(dashed ? properties.get(plain) : plain) ? null : "Write REACTIVEINFORMER_CLOUD_" + plain + ".";
    }
}
