package io.reactiveinformer.apiserver;

import io.netty.handler.codec.http.QueryStringDecoder;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The query parameters of a request. */
public record Query(Map<String, String> parameters) {

    private static final int MOST_PARAMETERS = 1024;

    static Query parse(String text) {
        Map<String, String> parameters = new LinkedHashMap<>();
        new QueryStringDecoder(text, StandardCharsets.UTF_8, false, MOST_PARAMETERS, true).parameters()
                .forEach((name, values) -> parameters.put(name, values.get(0)));
        return new Query(parameters);
    }

    static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    Query with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(parameters);
        more.put(name, value);
        return new Query(more);
    }

    /** The parameter's text; empty if it is missing. */
    public String text(String name) {
        return parameters.getOrDefault(name, "");
    }

    /** Whether the parameter is present. */
    public boolean has(String name) {
        return parameters.containsKey(name);
    }

    /** Whether the parameter is present, and neither {@code false} nor {@code 0}. */
    public boolean flag(String name) {
        String value = parameters.get(name);
        return value != null && !value.equals("false") && !value.equals("0");
    }

    /**
     * The parameter as a number; null if it is missing or empty.
     *
     * @throws ApiFailure 400 if it is not a number
     */
    public @Nullable Integer integer(String name) {
        String value = text(name);
        try {
            return value.isEmpty() ? null : Integer.valueOf(value);
        } catch (NumberFormatException failure) {
            throw ApiFailure.badRequest("strconv.ParseInt: parsing \"" + value + "\": invalid syntax");
        }
    }
}
