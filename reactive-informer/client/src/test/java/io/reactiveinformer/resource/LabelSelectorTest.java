package io.reactiveinformer.resource;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The cases of {@code k8s.io/apimachinery/pkg/labels/selector_test.go}, and what kubectl users type. */
class LabelSelectorTest {

    private static final Map<String, String> LABELS = Map.of("app", "web", "tier", "front",
            "empty", "", "replicas", "12", "k8s.io/zone", "a", "huge", "99999999999999999999", "large", "9223372036854775807");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                               | true
            app                              | true
            canary                           | false
            !canary                          | true
            ! app                            | false
            app=web                          | true
            app==web                         | true
            app = web , tier == front        | true
            app=web,tier=back                | false
            app!=web                         | false
            app!=api                         | true
            canary!=true                     | true
            app in (web)                     | true
            app in (api,web)                 | true
            app in ( api , db )              | false
            canary in (true)                 | false
            app notin (api, db)              | true
            app notin (web)                  | false
            canary notin (true)              | true
            empty=                           | true
            empty                            | true
            empty in ()                      | true
            empty in (,x)                    | true
            app=                             | false
            canary=                          | false
            canary!=                         | true
            k8s.io/zone in(a,b),!canary      | true
            replicas>11                      | true
            replicas>12                      | false
            replicas < 100                   | true
            app>1                            | false
            canary<1                         | false
            huge>9                           | false
            huge<9                           | false
            large>9                          | true
            """)
    void matchesAsTheServerDoes(String text, boolean matches) {
        assertThat(Selector.labels(text).matchesLabels(LABELS)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                | ''
            x=a,y=b,z=c                       | x=a,y=b,z=c
            ' z = c ,\ty == b, x!=a '         | x!=a,y=b,z=c
            x in (b, a),y notin (d,c ,c)      | x in (a,b),y notin (c,d)
            x in (a)                          | x=a
            x notin (a)                       | x!=a
            x=a,x==a                          | x=a
            x in ()                           | x=
            !b,a,c>007                        | a,!b,c>007
            """)
    void hasOneTextForOneMeaning(String text, String canonical) {
        assertThat(Selector.labels(text).labels()).isEqualTo(canonical);
        assertThat(Selector.labels(canonical)).isEqualTo(Selector.labels(text));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ,app               | character 1: expected a label's key
            app,               | character 5: expected a label's key
            app=web,,x         | character 9: expected a label's key
            =web               | character 1: expected a label's key
            !                  | character 2: expected a label's key
            !app=web           | character 5: expected a comma or the end
            app=web tier=x     | character 9: expected a comma or the end
            app web            | character 5: expected one of
            app in web         | character 8: expected (
            app in (web        | character 12: expected a comma or )
            app in (a b)       | character 11: expected a comma or )
            in in (a)          | character 1: expected a label's key, and in is an operator
            a//b               | character 1: a key is
            UPPER.io/a         | character 1: a key is
            -app               | character 1: a key is
            app=-web           | character 5: a value has
            app>x              | character 5: expected a number
            app===x            | character 6: expected a comma or the end
            """)
    void saysWhereItGoesWrong(String text, String where) {
        assertThatThrownBy(() -> Selector.labels(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("label selector \"" + text + "\", " + where);
    }

    @ParameterizedTest
    @ValueSource(ints = {63, 64})
    void namesAndValuesHaveAtMost63Characters(int length) {
        String text = "a".repeat(length);
        if (length <= 63) {
            assertThat(Selector.labels(text + "=" + text).matchesLabels(Map.of(text, text))).isTrue();
        } else {
            assertThatThrownBy(() -> Selector.labels(text)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Selector.labels("a=" + text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void selectorsAreEqualIfTheyMeanTheSame() {
        Selector selector = Selector.labels("b, a in (x)");
        assertThat(selector).isEqualTo(Selector.labels("a=x").and(Selector.labels("b"))).hasSameHashCodeAs(Selector.labels("a==x,b"));
        assertThat(selector.labels()).isEqualTo("a=x,b");
        assertThat(selector).isNotEqualTo(selector.and(Selector.fields("metadata.name=x")));
    }
}
