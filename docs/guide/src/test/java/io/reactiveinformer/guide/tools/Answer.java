package io.reactiveinformer.guide.tools;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.View;
import java.lang.reflect.Type;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.execution.ToolCallResultConverter;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * An answer of bounded size, which says how old it is, and whether it is all.
 *
 * @param asOf up to when the rows are known to be current
 * @param cache {@code LIVE}, or what the cache is doing instead
 * @param total how many rows there are
 * @param rows the first ones
 * @param narrower how to ask for fewer
 */
record Answer(String asOf, String cache, int total, List<?> rows, @JsonIgnore String narrower) {

    private static final int MOST_ROWS = 50;
    private static final int MOST_CHARACTERS = 8_000;
    private static final int MOST_IN_A_TEXT = 200;

    static Answer of(Clock clock, List<?> rows, String narrower, View<?, ?>... read) {
        Instant now = clock.instant();
        InformerStatus oldest = Stream.of(read).map(view -> view.status().blockFirst())
                .max(Comparator.comparing(status -> status.staleness(now))).orElseThrow();
        if (!oldest.synced()) {
            throw new IllegalStateException("the cache is not in sync yet; ask again later");
        }
        String asOf = now.minus(oldest.staleness(now)).truncatedTo(ChronoUnit.SECONDS).toString();
        return new Answer(asOf, oldest.state().name(), rows.size(), rows, narrower).first(MOST_ROWS);
    }

    private Answer first(int most) {
        return new Answer(asOf, cache, total, rows.subList(0, Math.min(most, rows.size())), narrower);
    }

    @JsonProperty
    String note() {
        return rows.size() == total ? "" : "only the first " + rows.size() + " of " + total + "; to see others, " + narrower;
    }

    /** Of somebody else's text, as much as is useful. */
    static String text(@Nullable String text) {
        return text == null ? "" : text.length() <= MOST_IN_A_TEXT ? text : text.substring(0, MOST_IN_A_TEXT) + "...";
    }

    /** Writes ASCII only: a model sees {@code \\u202e} where a text would turn round or hide. */
    public static final class Json implements ToolCallResultConverter {

        private static final JsonMapper MAPPER = JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

        @Override
        public String convert(@Nullable Object result, @Nullable Type type) {
            Answer answer = (Answer) result;
            String json = MAPPER.writeValueAsString(answer);
            return json.length() <= MOST_CHARACTERS ? json : convert(answer.first(answer.rows.size() / 2), type);
        }
    }
}
