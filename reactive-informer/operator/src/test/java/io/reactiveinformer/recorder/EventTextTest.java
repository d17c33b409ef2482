package io.reactiveinformer.recorder;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class EventTextTest {

    @Test
    void namesAnEventAfterItsObjectAndTheTime() {
        assertThat(EventText.name("web", 1, () -> 0.5)).isEqualTo("web." + Long.toHexString(1_500_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Web", "system:node", "web_1", "-web", "a..b", ""})
    void namesAnEventByChanceWhereTheObjectsNameIsNone(String object) {
        assertThat(EventText.name(object, 1, Math::random)).matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.[0-9a-f]+");
    }

    @Test
    void namesAnEventByChanceWhereTheNameWouldBeTooLong() {
        assertThat(EventText.name("a".repeat(250), 1, Math::random)).hasSizeLessThanOrEqualTo(253).doesNotStartWith("aaaa");
    }

    @Test
    void keepsANoteThatFits() {
        String exactly = "ä".repeat(512);
        assertThat(EventText.note(exactly)).isSameAs(exactly);
        assertThat(EventText.note("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "ä", "€", "😀", "x😀"})
    void cutsANoteAtAWholeCharacter(String unit) {
        String note = EventText.note(unit.repeat(1_025));
        assertThat(note.getBytes(StandardCharsets.UTF_8).length).isBetween(1_019, 1_024);
        assertThat(new String(note.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)).as("no half character").isEqualTo(note);
        assertThat(unit.repeat(1_025)).startsWith(note.substring(0, note.length() - 1));
    }
}
