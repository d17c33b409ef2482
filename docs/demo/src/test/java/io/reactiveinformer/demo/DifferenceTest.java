package io.reactiveinformer.demo;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Secret;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class DifferenceTest {

    private static JsonNode tree(String json) {
        return JsonMapper.shared().readTree(json.replace('\'', '"'));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'spec':{'replicas':1}} | {'spec':{'replicas':3}} | replicas 1 → 3
            {'metadata':{'resourceVersion':'1','generation':1}} | {'metadata':{'resourceVersion':'2','generation':2}} | ``
            {'status':{'a':1}} | {'status':{}} | a removed
            {'status':{}} | {'status':{'a':true}} | a → true
            {'status':{}} | {'status':{'a':{'b':1}}} | a added
            {'status':{'a':null}} | {'status':{'a':''}} | a → ""
            {'spec':{'containers':[{'name':'app','image':'x'}]}} | {'spec':{'containers':[{'name':'app','image':'y'}]}} | app image x → y
            {'spec':{'template':{'spec':{'containers':[{'name':'a','image':'x'}]}}}} \
            | {'spec':{'template':{'spec':{'containers':[{'name':'a','image':'y'}]}}}} | a image x → y
            {'status':{'containerStatuses':[{'name':'a','restartCount':1}]}} \
            | {'status':{'containerStatuses':[{'name':'a','restartCount':2}]}} | a restarts 1 → 2
            {'spec':{'containers':[{'name':'app'}]}} | {'spec':{'containers':[{'name':'log'},{'name':'app'}]}} | containers[log] added
            {'spec':{'containers':[{'name':'app'},{'name':'log'}]}} | {'spec':{'containers':[{'name':'app'}]}} | containers[log] removed
            {'status':{'conditions':[{'type':'Ready','status':'False'}]}} \
            | {'status':{'conditions':[{'type':'Ready','status':'True','reason':'r'}]}} | conditions[Ready] False → True
            {'spec':{'args':['a']}} | {'spec':{'args':['b']}} | args changed
            {'spec':{'a':1,'b':1,'c':1,'d':1,'image':1}} | {'spec':{'a':2,'b':2,'c':2,'d':2,'image':1}} \
            | a 1 → 2, b 1 → 2, c 1 → 2, 1 more
            {'spec':{'a':1,'b':1,'c':1,'t':{'image':1}}} \
            | {'spec':{'a':2,'b':2,'c':2,'t':{'image':2}}} | t.image 1 → 2, a 1 → 2, b 1 → 2, 1 more
            {'spec':{'a':[{'name':'x'},{'name':'x'}]}} | {'spec':{'a':[{'name':'x'}]}} | a changed
            """)
    void namesTheFieldsThatHaveChanged(String before, String after, String words) {
        assertThat(Difference.between(tree(before), tree(after)).summary()).isEqualTo(words);
    }

    @Test
    void ofALongValueShowsTheBeginning() {
        assertThat(Difference.between(tree("{'a':'x'}"), tree("{'a':'" + "y".repeat(50) + "'}")).summary())
                .isEqualTo("a x → " + "y".repeat(39) + "…");
    }

    @Test
    void showsFieldsOfModelClassesByTheirNamesInTheApi() {
        assertThat(Difference.between(new V1ConfigMap().data(Map.of("a.txt", "1")), new V1ConfigMap().data(Map.of("a.txt", "2"))).summary())
                .isEqualTo("data.a.txt 1 → 2");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'kind':'Secret','data':{'a':'s3cr3t'}} | {'kind':'Secret','data':{'a':'s3cr3t2'}} | data.a changed
            {'kind':'Secret','data':{}} | {'kind':'Secret','data':{'a':'s3cr3t'}} | data.a added
            {'spec':{'env':[{'name':'KEY','value':'s3cr3t'}]}} \
            | {'spec':{'env':[{'name':'KEY','value':'s3cr3t2'}]}} | env[KEY].value changed
            {'spec':{'containers':[{'name':'a','env':[{'name':'K','value':'s3cr3t'}]}]}} \
            | {'spec':{'containers':[{'name':'a','env':[{'name':'K','value':'2'}]}]}} | a env[K].value changed
            {'spec':{'dbPassword':'s3cr3t'}} | {'spec':{'dbPassword':'s3cr3t2'}} | dbPassword changed
            {'spec':{'token':'s3cr3t'}} | {'spec':{'token':'s3cr3t2'}} | token changed
            """)
    void showsNoValueThatMayBeSecret(String before, String after, String words) {
        assertThat(Difference.between(tree(before), tree(after)).summary()).isEqualTo(words);
    }

    @Test
    void showsNoValueOfASecretOfTheModelClass() {
        assertThat(Difference.between(secret("s3cr3t"), secret("other")).summary()).isEqualTo("data.a changed");
    }

    private static V1Secret secret(String value) {
        return new V1Secret().data(Map.of("a", value.getBytes(StandardCharsets.UTF_8)));
    }
}
