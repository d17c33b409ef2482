package io.reactiveinformer.test;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a kube-apiserver 1.36 answered to label selectors: the names of the objects, or code and how its message begins. The fake server
 * answers the same.
 */
class RecordedSelectorsTest {

    private static final Map<String, Map<String, String>> LABELS = new TreeMap<>(Map.of(
            "none", Map.of(), "a1", Map.of("a", "1"), "a2", Map.of("a", "2"), "aempty", Map.of("a", ""), "ab", Map.of("a", "x", "b", "y"),
            "pre", Map.of("example.com/a", "1"), "num", Map.of("n", "10"), "num2", Map.of("n", "9"), "nan", Map.of("n", "abc"),
            "big", Map.of("n", "99999999999999999999")));
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private final FakeApiServer server = FakeApiServer.create();
    private final Requests requests = new Requests(server.transport());

    @BeforeEach
    void create() {
        LABELS.forEach((name, labels) -> requests.post(MAPS, "{\"metadata\":{\"name\":\"" + name + "\",\"labels\":{"
                + labels.entrySet().stream().map(label -> "\"" + label.getKey() + "\":\"" + label.getValue() + "\"")
                        .collect(Collectors.joining(",")) + "}}}"));
    }

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a | a1,a2,ab,aempty
            !a | big,nan,none,num,num2,pre
            a=1 | a1
            a!=1 | a2,ab,aempty,big,nan,none,num,num2,pre
            a= | aempty
            a in (1,2) | a1,a2
            a notin (1,2) | ab,aempty,big,nan,none,num,num2,pre
            a in () | aempty
            a in (,1) | a1,aempty
            in | nothing
            a in | 400 unable to parse requirement: found '' expected: '('
            a ,b | ab
            ! a | big,nan,none,num,num2,pre
            a>1 | a2
            n>9 | num
            n<10 | num2
            n>-6 | 400 unable to parse requirement: values[0][n]: Invalid value: "-6": a valid label must be an empty string or
            n>abc | 400 unable to parse requirement: values[0]: Invalid value: "abc": for 'Gt', 'Lt' operators, the value must b
            n>1.5 | 400 unable to parse requirement: values[0]: Invalid value: "1.5": for 'Gt', 'Lt' operators, the value must b
            n> | 400 unable to parse requirement: values[0]: Invalid value: "": for 'Gt', 'Lt' operators, the value must be an i
            n>9,n<11 | num
            n>=9 | 400 unable to parse requirement: found '=', expected: identifier
            n > 9 | num
            example.com/a=1 | pre
            example.com/ | 400 unable to parse requirement: <nil>: Invalid value: "example.com/": name part must be non-empty; n
            /a | 400 unable to parse requirement: <nil>: Invalid value: "/a": prefix part must be non-empty
            a b | 400 unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt
            a=b=c | 400 found '=', expected: ',' or 'end of string'
            a=1,,b | 400 found ',', expected: identifier after ','
            a, | 400 found '', expected: identifier after ','
            , | 400 found ',', expected: !, identifier, or 'end of string'
            () | 400 found '(', expected: !, identifier, or 'end of string'
            a in (1 | 400 unable to parse requirement: found '', expected: ',' or ')'
            a in 1) | 400 unable to parse requirement: found '1' expected: '('
            =1 | 400 found '=', expected: !, identifier, or 'end of string'
            ! | 400 unable to parse requirement: found '', expected: identifier
            !=1 | 400 found '!=', expected: !, identifier, or 'end of string'
            -a | 400 unable to parse requirement: <nil>: Invalid value: "-a": name part must consist of alphanumeric characters,
            a- | 400 unable to parse requirement: <nil>: Invalid value: "a-": name part must consist of alphanumeric characters,
            a=-1 | 400 unable to parse requirement: values[0][a]: Invalid value: "-1": a valid label must be an empty string or
            a=ü | 400 unable to parse requirement: values[0][a]: Invalid value: "ü": a valid label must be an empty string or co
            ü=1 | 400 unable to parse requirement: <nil>: Invalid value: "ü": name part must consist of alphanumeric characters,
            "a"=1 | 400 unable to parse requirement: <nil>: Invalid value: "\\"a\\"": name part must consist of alphanumeric cha
            a='1' | 400 unable to parse requirement: values[0][a]: Invalid value: "'1'": a valid label must be an empty string o
            a== | aempty
            n<99999999999999999998 | 400 unable to parse requirement: values[0]: Invalid value: "99999999999999999998": for 'Gt'
            n>00009 | num
            a=1 b=2 | 400 found 'b', expected: ',' or 'end of string'
            a in  ( 1 , 2 ) | a1,a2
            in in (in) | nothing
            a=1,a=2 | nothing
            a>9223372036854775808 | 400 unable to parse requirement: values[0]: Invalid value: "9223372036854775808": for 'Gt',
            """)
    void selectsAsTheRealServer(String selector, String answer) {
        String expected = answer.equals("nothing") ? "" : answer;
        Requests.Answered answered = requests.get(MAPS + "?labelSelector=" + URLEncoder.encode(selector, StandardCharsets.UTF_8));
        if (answered.status() == 200) {
            assertThat(answered.json().path("items").valueStream().map(item -> item.at("/metadata/name").asString())
                    .collect(Collectors.joining(","))).isEqualTo(expected);
        } else {
            assertThat(answered.status() + " " + answered.json().path("message").asString()).startsWith(expected);
            assertThat(expected).startsWith("400 ");
        }
    }
}
