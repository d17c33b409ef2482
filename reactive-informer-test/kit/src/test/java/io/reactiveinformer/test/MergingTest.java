package io.reactiveinformer.test;

import io.reactiveinformer.transport.HttpRequest.Headers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What of an object is merged, and what is one value, by server-side apply and by strategic merge patches. */
class MergingTest {

    private static final Headers APPLY = Headers.of("Content-Type", "application/apply-patch+yaml");
    private static final Headers MERGE = Headers.of("Content-Type", "application/merge-patch+json");
    private static final Headers STRATEGIC = Headers.of("Content-Type", "application/strategic-merge-patch+json");
    private static final String WIDGETS = "/apis/example.com/v1/widgets";
    private static final String SERVICES = "/api/v1/namespaces/default/services";
    private static final String TEMPLATES = "/api/v1/namespaces/default/podtemplates";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder()
            .scheduler(time) // nobody collects what belongs to nothing
            .with(Widgets.definition("Cluster", Widgets.version("v1", true, """
                    {type: object, properties: {
                      parts: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [side, name],
                        items: {type: object, required: [name], properties: {name: {type: string}, side: {type: string, default: left}, \
                    size: {type: integer}}}},
                      tags: {type: array, x-kubernetes-list-type: set, items: {type: string}},
                      steps: {type: array, items: {type: string}},
                      choice: {type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: string}},
                      plan: {type: object, properties: {enabled: {type: boolean}, pace: {type: string, default: daily}}},
                      free: {type: object, x-kubernetes-preserve-unknown-fields: true},
                      notes: {type: object, additionalProperties: {type: string}}}}""")))
            .build();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text.replace('\'', '"'));
    }

    private Requests.Answered apply(String path, String manager, String rest) {
        String kind = path.startsWith(WIDGETS) ? "'apiVersion':'example.com/v1','kind':'Widget'"
                : path.startsWith(SERVICES) ? "'apiVersion':'v1','kind':'Service'"
                : path.startsWith(MAPS) ? "'apiVersion':'v1','kind':'ConfigMap'" : "'apiVersion':'v1','kind':'Node'";
        return requests.send("PATCH", path + "?fieldManager=" + manager, APPLY, ("{" + kind + "," + rest + "}").replace('\'', '"'));
    }

    private JsonNode applied(String path, String manager, String rest) {
        Requests.Answered answered = apply(path, manager, rest);
        assertThat(answered.status()).as(answered.body()).isIn(200, 201);
        return answered.json();
    }

    private static String containers(String names) {
        return names.isEmpty() ? "" : "{'name':'" + names.replace(" ", "','image':'i'},{'name':'") + "','image':'i'}";
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(each -> each.isString() ? each.asString() : each.path("name").asString()).toList();
    }

    private static JsonNode fields(JsonNode object, String manager) {
        return object.at("/metadata/managedFields").valueStream()
                .filter(entry -> entry.path("manager").asString().equals(manager)).findFirst().orElseThrow().path("fieldsV1");
    }

    @ParameterizedTest
    @ValueSource(strings = {MAPS + "/x", WIDGETS + "/x"})
    void eachManagerHasItsOwnFinalizersAndOwners(String path) {
        String owner = "{'apiVersion':'no.such/v1','kind':'Owner','name':'NAME','uid':'NAME'}"; // of which the collector cannot know
        applied(path, "a", "'metadata':{'name':'x','finalizers':['example.com/a'],'ownerReferences':["
                + owner.replace("NAME", "one") + "]}");
        JsonNode both = applied(path, "b", "'metadata':{'name':'x','finalizers':['example.com/b'],'ownerReferences':["
                + owner.replace("NAME", "two") + "]}");
        assertThat(texts(both.at("/metadata/finalizers"))).containsExactlyInAnyOrder("example.com/a", "example.com/b");
        assertThat(texts(both.at("/metadata/ownerReferences"))).containsExactlyInAnyOrder("one", "two");
        assertThat(fields(both, "a")).isEqualTo(json(
                "{'f:metadata':{'f:finalizers':{'v:\\'example.com/a\\'':{}},'f:ownerReferences':{'k:{\\'uid\\':\\'one\\'}':{}}}}"));
        JsonNode left = applied(path, "a", "'metadata':{'name':'x'}");
        assertThat(texts(left.at("/metadata/finalizers"))).containsExactly("example.com/b");
        assertThat(texts(left.at("/metadata/ownerReferences"))).containsExactly("two");
    }

    @Test
    void whatIsOneValueIsReplacedAndContestedAsOne() {
        String service = "'metadata':{'name':'s'},'spec':{'selector':{'app':'x'},'ports':[{'port':80}]}";
        applied(SERVICES + "/s", "a", service);
        Requests.Answered refused = apply(SERVICES + "/s", "b", "'metadata':{'name':'s'},'spec':{'selector':{'tier':'y'}}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().path("message").asString())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"a\": .spec.selector");
        JsonNode replaced = applied(SERVICES + "/s", "a", service.replace("'app':'x'", "'tier':'y'"));
        assertThat(replaced.at("/spec/selector")).isEqualTo(json("{'tier':'y'}"));
        applied(WIDGETS + "/w", "a", "'metadata':{'name':'w'},'spec':{'choice':{'a':'1'},'notes':{'a':'1'},'steps':['a']}");
        assertThat(apply(WIDGETS + "/w", "b", "'metadata':{'name':'w'},'spec':{'choice':{'b':'2'}}").status()).isEqualTo(409);
        assertThat(apply(WIDGETS + "/w", "b", "'metadata':{'name':'w'},'spec':{'steps':['b']}").status()).isEqualTo(409);
        JsonNode merged = applied(WIDGETS + "/w", "b", "'metadata':{'name':'w'},'spec':{'notes':{'b':'2'}}");
        assertThat(merged.path("spec")).isEqualTo(json("{'choice':{'a':'1'},'notes':{'a':'1','b':'2'},'steps':['a']}"));
    }

    @Test
    void aSchemaTellsWhatMerges() {
        applied(WIDGETS + "/w", "a", "'metadata':{'name':'w'},'spec':{'parts':[{'name':'p','size':1}],'tags':['x']}");
        JsonNode both = applied(WIDGETS + "/w", "b",
                "'metadata':{'name':'w'},'spec':{'parts':[{'name':'p','side':'right'},{'name':'q'}],'tags':['y','x']}");
        assertThat(both.path("spec"))
                .isEqualTo(json("{'parts':[{'name':'p','side':'left','size':1},{'name':'p','side':'right'},{'name':'q','side':'left'}],"
                + "'tags':['y','x']}"));
        JsonNode left = applied(WIDGETS + "/w", "b", "'metadata':{'name':'w'},'spec':{'parts':[{'name':'p','side':'left','size':1}]}");
        assertThat(left.path("spec")).isEqualTo(json("{'parts':[{'name':'p','side':'left','size':1}],'tags':['x']}"));
        assertThat(fields(left, "a"))
                .isEqualTo(json("{'f:spec':{'f:parts':{'k:{\\'name\\':\\'p\\',\\'side\\':\\'left\\'}':{'.':{},'f:name':{},'f:size':{}}},"
                + "'f:tags':{'v:\\'x\\'':{}}}}"));
        assertThat(apply(WIDGETS + "/w", "b", "'metadata':{'name':'w'},'spec':{'parts':[{'name':'p','size':2}]}")
                .json().path("message").asString())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"a\": .spec.parts[name=\"p\",side=\"left\"].size");
    }

    /** Who only has a field of an item does not keep the item. */
    @Test
    void anItemGoesWithTheManagerThatSaidThatItIsThere() {
        applied(WIDGETS + "/w", "a", "'metadata':{'name':'w'},'spec':{'parts':[{'name':'p','size':1},{'name':'q'}],'tags':['x']}");
        requests.send("PATCH", WIDGETS + "/w?fieldManager=c", Headers.of("Content-Type", "application/json-patch+json"),
                "[{\"op\":\"replace\",\"path\":\"/spec/parts/0/size\",\"value\":2}]");
        applied(WIDGETS + "/w", "b", "'metadata':{'name':'w'},'spec':{'parts':[{'name':'q'}]}");
        JsonNode left = applied(WIDGETS + "/w", "a", "'metadata':{'name':'w'},'spec':{'tags':['x']}");
        assertThat(left.path("spec")).isEqualTo(json("{'parts':[{'name':'q','side':'left'}],'tags':['x']}"));
        assertThat(left.at("/metadata/managedFields").valueStream().map(entry -> entry.path("manager").asString()))
                .containsExactlyInAnyOrder("a", "b");
    }

    /** Also what the server filled in below it. */
    @Test
    void aStructureGoesWithAllThatNobodyClaims() {
        applied(WIDGETS + "/w", "a", "'metadata':{'name':'w'},'spec':{'plan':{'enabled':true},'tags':['x']}");
        JsonNode left = applied(WIDGETS + "/w", "a", "'metadata':{'name':'w'},'spec':{'tags':['x']}");
        assertThat(left.path("spec")).isEqualTo(json("{'tags':['x']}"));
        applied(WIDGETS + "/v", "a", "'metadata':{'name':'v'},'spec':{'plan':{'enabled':true},'tags':['x']}");
        requests.send("PATCH", WIDGETS + "/v?fieldManager=c", MERGE, "{\"spec\":{\"plan\":{\"pace\":\"weekly\"}}}");
        JsonNode kept = applied(WIDGETS + "/v", "a", "'metadata':{'name':'v'},'spec':{'tags':['x']}");
        assertThat(kept.path("spec")).isEqualTo(json("{'plan':{'pace':'weekly'},'tags':['x']}"));
    }

    @Test
    void whatIsAppliedUnderAnotherKeyReplacesWhatWas() {
        String service = "'metadata':{'name':'s'},'spec':{'ports':[{'port':80}]}";
        applied(SERVICES + "/s", "a", service);
        requests.send("PATCH", SERVICES + "/s?fieldManager=kubectl-label", MERGE, "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}");
        JsonNode changed = applied(SERVICES + "/s", "a", service.replace("80", "8080"));
        assertThat(changed.at("/spec/ports").valueStream().map(port -> port.path("port").asInt())).containsExactly(8080);
        assertThat(changed.at("/metadata/labels/x").asString()).isEqualTo("y");
    }

    @Test
    void whoTakesAwayOwnsNothing() {
        applied(MAPS + "/m", "a", "'metadata':{'name':'m','labels':{'a':'1','b':'2'},'finalizers':['example.com/a','example.com/b']}");
        JsonNode without = requests.send("PATCH", MAPS + "/m?fieldManager=kubectl-label", MERGE,
                "{\"metadata\":{\"labels\":{\"b\":null},\"finalizers\":[\"example.com/a\"]}}").json();
        assertThat(without.at("/metadata/managedFields").valueStream().map(entry -> entry.path("manager").asString())).containsExactly("a");
        assertThat(fields(without, "a"))
                .isEqualTo(json("{'f:metadata':{'f:finalizers':{'v:\\'example.com/a\\'':{}},'f:labels':{'f:a':{}}}}"));
        applied(MAPS + "/m", "a", "'metadata':{'name':'m','labels':{'a':'1','c':'3'}}");
    }

    /** As a chart's empty value is written. */
    @Test
    void nullIsAnotherValue() {
        applied(WIDGETS + "/w", "a",
                "'metadata':{'name':'w'},'spec':{'plan':{'enabled':true},'choice':{'x':'1'},'notes':{'n':'1'},'tags':['t'],'steps':['s']}");
        Requests.Answered refused = apply(WIDGETS + "/w", "b",
                "'metadata':{'name':'w'},'spec':{'plan':{'enabled':null},'steps':null,'choice':null,'notes':null,'tags':null}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().path("message").asString()).isEqualTo(
                "Apply failed with 3 conflicts: conflicts with \"a\":\n- .spec.choice\n- .spec.plan.enabled\n- .spec.steps");
    }

    @Test
    void theSameAgainIsNoChange() {
        String manifest = "'metadata':{'name':'m','creationTimestamp':null,'annotations':null},'data':{'a':'b','c':null}";
        JsonNode first = applied(MAPS + "/m", "a", manifest);
        assertThat(first.path("data")).as("null is Go's empty text").isEqualTo(json("{'a':'b','c':''}"));
        assertThat(fields(first, "a")).isEqualTo(json("{'f:data':{'f:a':{},'f:c':{}},'f:metadata':{'f:annotations':{}}}"));
        time.advanceTimeBy(Duration.ofHours(1));
        assertThat(applied(MAPS + "/m", "a", manifest)).isEqualTo(first);
    }

    /** The manager that said that it is there, empty or not, keeps it. */
    @Test
    void whatOthersClaimStaysThoughItBecomesEmpty() {
        applied(WIDGETS + "/w", "b", "'metadata':{'name':'w'},'spec':{'free':{},'tags':['y']}");
        applied(WIDGETS + "/w", "a", "'metadata':{'name':'w'},'spec':{'free':{'x':1}}");
        JsonNode left = applied(WIDGETS + "/w", "a", "'metadata':{'name':'w'}");
        assertThat(left.path("spec")).isEqualTo(json("{'free':{},'tags':['y']}"));
        assertThat(fields(left, "b")).isEqualTo(json("{'f:spec':{'f:free':{},'f:tags':{'v:\\'y\\'':{}}}}"));
    }

    @Test
    void whatIsAppliedTwiceUnderOneKeyIsRefused() {
        String twice = "'metadata':{'name':'w'},'spec':{'parts':[{'name':'p'},{'name':'p','side':'left'}]}";
        assertThat(apply(WIDGETS + "/w", "a", twice).status()).as("a new one").isEqualTo(500);
        applied(WIDGETS + "/w", "a", "'metadata':{'name':'w'}");
        Requests.Answered refused = apply(WIDGETS + "/w", "a", twice);
        assertThat(refused.status()).isEqualTo(500);
        assertThat(refused.json().path("message").asString()).isEqualTo(
                "failed to create typed patch object (/w; example.com/v1, Kind=Widget): .spec.parts: duplicate entries for key "
                        + "[name=\"p\",side=\"left\"]");
    }

    /** The order is that of the manager that applies; what others have stays before what both have. */
    @ParameterizedTest
    @CsvSource({
"a b c, b a, b c a", "a b c, x a, x a b c", "a b c, c x, a b c x", "a b c d, d b, a c d b",
        "a, x y, a x y", "a b c, a x b, a x b c", "x a, a b x, a b x",
        "a b c d, c x a, b c d x a"})
    void theOrderOfWhatIsAppliedCounts(String live, String applied, String merged) {
        String spec = "'metadata':{'name':'w'},'spec':{'tags':['TAGS']}";
        applied(WIDGETS + "/w", "a", spec.replace("TAGS", live.replace(" ", "','")));
        assertThat(texts(applied(WIDGETS + "/w", "b", spec.replace("TAGS", applied.replace(" ", "','"))).at("/spec/tags")))
                .containsExactly(merged.split(" ", -1));
    }

    @ParameterizedTest
    @CsvSource({"a, b, '', b a", "a b, b c, '', a b c", "a b c, c a, '', b c a", "a b, b, b a, b a",
            "a b c, '', c, a b c", "a b c, c, c a, b c a"})
    void strategicMergePatchesPutTheirItemsFirstAsTheRealServerDoes(String live, String patched, String order, String merged) {
        requests.post(TEMPLATES,
                ("{'metadata':{'name':'p'},'template':{'spec':{'containers':[" + containers(live) + "]}}}").replace('\'', '"'));
        String directive = order.isEmpty() ? "" : "'$setElementOrder/containers':[" + containers(order).replace(",'image':'i'", "") + "],";
        JsonNode merge = requests.send("PATCH", TEMPLATES + "/p", STRATEGIC,
                ("{'template':{'spec':{" + directive + "'containers':[" + containers(patched) + "]}}}").replace('\'', '"')).json();
        assertThat(texts(merge.at("/template/spec/containers"))).containsExactly(merged.split(" ", -1));
    }

    /** As {@code kubectl taint} takes one away. */
    @Test
    void strategicMergePatchesReplaceListsThatHaveNoStrategy() {
        requests.post("/api/v1/nodes",
                "{\"metadata\":{\"name\":\"n\"},\"spec\":{\"taints\":[{\"key\":\"a\",\"effect\":\"NoSchedule\"},{\"key\":\"b\","
                + "\"effect\":\"NoSchedule\"}]}}");
        JsonNode node = requests.send("PATCH", "/api/v1/nodes/n", STRATEGIC,
                "{\"spec\":{\"taints\":[{\"key\":\"b\",\"effect\":\"NoSchedule\"}]}}").json();
        assertThat(node.at("/spec/taints").valueStream().map(taint -> taint.path("key").asString())).containsExactly("b");
    }

    @Test
    void strategicMergePatchesMergeByTheirOwnKeys() {
        requests.post(SERVICES,
                "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"selector\":{\"a\":\"b\"},\"ports\":[{\"name\":\"x\",\"port\":80},"
                + "{\"name\":\"y\",\"port\":81}]}}");
        JsonNode service = requests.send("PATCH", SERVICES + "/s", STRATEGIC,
                "{\"spec\":{\"selector\":{\"c\":\"d\"},\"ports\":[{\"port\":81,\"name\":\"z\"}]}}").json();
        assertThat(texts(service.at("/spec/ports"))).containsExactly("x", "z");
        assertThat(service.at("/spec/selector")).as("one value for an apply only").isEqualTo(json("{'a':'b','c':'d'}"));
        String budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
        requests.post(budgets,
                "{\"metadata\":{\"name\":\"b\"},\"spec\":{\"minAvailable\":1,\"selector\":{\"matchLabels\":{\"a\":\"b\"}}}}");
        JsonNode budget = requests.send("PATCH", budgets + "/b", STRATEGIC, "{\"spec\":{\"selector\":{\"matchLabels\":{\"c\":\"d\"}}}}")
                .json();
        assertThat(budget.at("/spec/selector/matchLabels")).as("patchStrategy=replace").isEqualTo(json("{'c':'d'}"));
    }
}
