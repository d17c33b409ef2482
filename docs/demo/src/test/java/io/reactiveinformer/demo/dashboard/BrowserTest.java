package io.reactiveinformer.demo.dashboard;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.demo.controllers.WorkloadControllers;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.Keys;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The page as a user sees it. */
@Tag("long")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "test.thorough", matches = "true", disabledReason = "a browser is slow: only with -Pthorough")
class BrowserTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final int SOME = 10;
    private static final ObjectKey SHOP_A = ObjectKey.of("shop", "a");
    private static final String MARKUP = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";

    private static final String NODE_NOT_READY =
            "{apiVersion: v1, kind: Node, metadata: {name: n}, status: {conditions: [{type: Ready, status: 'False'}]}}";
    private static final String TABLES_TOP = "return document.getElementById('tables').getBoundingClientRect().top + window.scrollY";

    @RegisterExtension
    static final SharedChromium OPEN = new SharedChromium();

    private final Chromium browser = OPEN.browser();
    private final FakeApiServer server = FakeApiServer.create().start();
    private final KubernetesClient client = KubernetesClient.create(ClusterConfig.of(server.url()));
    private final InformerFactory informers =
            InformerFactory.create(client, ReflectorOptions.defaults().withBackoff(RunningDashboard.SOON));
    private final DashboardServer dashboard = DashboardServer.start(informers, new FaultButtons(server), "a test", 0);

    @AfterEach
    void close() {
        browser.reset(); // or it would go on asking
        dashboard.close();
        informers.close();
        client.close();
        server.close();
    }

    @Test
    void rowsAppearChangeAndVanish() {
        visit();
        browser.until("an empty table", () -> browser.text(".pods .nothing").equals("no pods"));
        server.objects().create(pod("shop", "a", "x"));
        browser.until("a row", () -> pod("shop/a").contains("Pending"));
        phase("Running");
        browser.until("another state", () -> pod("shop/a").contains("Running"));
        assertThat(browser.see("[data-key='shop/a'].flash")).as("it flashes").hasSize(1);
        server.objects().deleteNow(PODS, SHOP_A);
        browser.until("no row", () -> browser.see("[data-key='shop/a']").isEmpty());
        browser.until("an empty table", () -> browser.text(".pods .nothing").equals("no pods"));
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void asksNobodyElse() {
        visit();
        browser.until("all of it", () -> browser.see(".informer.LIVE").size() == 5);
        assertThat(browser.asked()).hasSizeGreaterThan(5).allMatch(address -> address.startsWith(dashboard.url()));
    }

    @Test
    void whatLooksLikeMarkupIsText() {
        server.objects().create("""
                {apiVersion: events.k8s.io/v1, kind: Event, metadata: {name: e, namespace: shop}, reason: Odd, type: Normal, action: a,
                 reportingController: c, reportingInstance: i, eventTime: "2026-01-01T00:00:00.000000Z", regarding: {kind: "<b>", namespace: shop, \
                name: b}, note: '%s'}
                """.formatted(MARKUP.replace("'", "''")));
        server.objects().create(pod("shop", "a", MARKUP));
        server.objects().edit(PODS, SHOP_A, pod -> {
            ((ObjectNode) pod.at("/metadata/labels")).put("odd", "img.src_x"); // a label cannot be markup
            return pod;
        });
        visit();
        browser.until("a pod", () -> pod("shop/a").contains(MARKUP));
        browser.until("an event", () -> browser.text("[data-key='shop/e'] .message").equals(MARKUP));
        assertThat(browser.see("[data-key='shop/a']").get(0).getDomAttribute("title")).contains("odd=img.src_x");
        browser.type("/");
        browser.type(MARKUP, Keys.ENTER);
        browser.until("a refusal", () -> browser.text("#refusal").contains("<img src=x"));
        assertThat(browser.see("body img, body script, td b")).isEmpty();
        assertThat(browser.title()).isEqualTo("reactive-informer");
    }

    @Test
    void filtersByKeyboard() {
        server.objects().create(pod("shop", "a", "x"));
        server.objects().create(pod("other", "b", "x"));
        visit();
        browser.until("both", () -> !pod("shop/a").isEmpty() && !pod("other/b").isEmpty());
        browser.type("/");
        assertThat(browser.focus()).isEqualTo("labels");
        browser.type("app=a", Keys.ENTER);
        browser.until("one of them", () -> !pod("shop/a").isEmpty() && pod("other/b").isEmpty());
        browser.type("(", Keys.ENTER);
        browser.until("why it cannot be", () -> browser.text("#refusal").contains("app=a("));
        browser.type(Keys.chord(Keys.CONTROL, "a"), Keys.BACK_SPACE, Keys.ENTER);
        browser.until("both", () -> !pod("shop/a").isEmpty() && !pod("other/b").isEmpty());
        assertThat(browser.text("#refusal")).isEmpty();
        browser.type(Keys.chord(Keys.SHIFT, Keys.TAB), "other");
        browser.until("the other one", () -> pod("shop/a").isEmpty() && !pod("other/b").isEmpty());
    }

    @Test
    void aMistakeInAFilterIsShownAtItsFieldAndNowhereElse() throws Exception {
        server.objects().create(pod("shop", "a", "x"));
        server.objects().create(pod("shop", "b", "x"));
        visit();
        browser.type("/");
        browser.type("app=a", Keys.ENTER);
        browser.until("one of them", () -> !pod("shop/a").isEmpty() && pod("shop/b").isEmpty()
                && browser.see(".informer.LIVE").size() == 5);
        browser.type("(", Keys.ENTER);
        browser.until("why it cannot be", () -> browser.text(".field:has(#labels[aria-invalid=true]) #refusal")
                .endsWith("Shown are the rows with app=a."));
        browser.picture(Path.of("target/dashboard-typo.png"), 1400, 1000, "light");
        image("y");
        browser.until("what happens meanwhile", () -> pod("shop/a").contains("y"));
        browser.until("that nothing else is wrong", () -> browser.text("#connection").startsWith("Connected to the dashboard's server ")
                && browser.see(".informer.LIVE").size() == 5 && browser.see("#tables .stale").isEmpty());
        assertThat(pod("shop/b")).isEmpty();
        browser.type(Keys.BACK_SPACE, Keys.ENTER);
        browser.until("no complaint", () -> browser.text("#refusal").isEmpty() && browser.see("[aria-invalid]").isEmpty());
    }

    @Test
    void allIsReachedByKeyboard() {
        visit();
        browser.until("all of it", () -> browser.see(".informer.LIVE").size() == 5);
        assertThat(browser.tabOrder()).startsWith("To the tables", "namespace", "labels", "search", "slow", "problem-list", "happenings",
                "cut", "expire", "pause", "Browsers", "Rows of Pods", "Name", "Status", "Ready", "Restarts", "Node", "Image", "Namespace",
                "Age", "Rows of Deployments")
                .containsSubsequence("Rows of Deployments", "Rows of Jobs", "Rows of Nodes", "Rows of Events").endsWith("Seen");
        for (browser.type(Keys.TAB); !browser.focus().equals("cut"); browser.type(Keys.TAB)) {
            assertThat(browser.focus()).isNotEqualTo("Browsers");
        }
        browser.type(Keys.ENTER);
        browser.until("what came of it", () -> browser.text("#outcome").startsWith("cut: done"));
    }

    @Test
    void anObjectIsShownAsYamlByKeyboard() {
        server.objects().create(pod("shop", "a", "x"));
        server.objects().create(pod("shop", "b", "x"));
        visit();
        browser.until("both", () -> !pod("shop/a").isEmpty() && !pod("shop/b").isEmpty());
        browser.ask("document.querySelector('.pods .scroll').focus()");
        browser.type(Keys.ARROW_DOWN, Keys.ARROW_DOWN);
        browser.type(Keys.ENTER);
        browser.until("the object", () -> browser.text("#yaml").contains("name: b"));
        assertThat(browser.text("#details-title")).isEqualTo("Pods: shop/b");
        assertThat(browser.text("#yaml")).contains("image: x").doesNotContain("managedFields");
        browser.type(Keys.ESCAPE);
        browser.until("the page again", () -> browser.text("#yaml").isEmpty() && browser.focus().equals("b"));
        server.objects().deleteNow(PODS, SHOP_A);
    }

    @Test
    void problemsComeFirstAndAreCounted() {
        server.objects().create(pod("shop", "a", "x"));
        server.objects().create(pod("shop", "y", "x"));
        server.objects().create(pod("shop", "z", "x"));
        server.objects().create(NODE_NOT_READY);
        visit();
        browser.until("one problem", () -> browser.text("#problem-count").equals("1"));
        assertThat(browser.text("#problem-list")).isEqualTo("NotReady: 1 in Nodes (n)");
        fail("y", "CrashLoopBackOff");
        fail("z", "CrashLoopBackOff");
        browser.until("three problems", () -> browser.text("#problem-count").equals("3"));
        assertThat(browser.texts("#problem-list li"))
                .containsExactly("CrashLoopBackOff: 2 in Pods (shop/y, shop/z)", "NotReady: 1 in Nodes (n)");
        assertThat(keys()).as("problems first").containsExactly("shop/y", "shop/z", "shop/a");
        fail("y", "");
        browser.until("two problems", () -> browser.text("#problem-count").equals("2"));
        assertThat(keys()).containsExactly("shop/z", "shop/a", "shop/y");
    }

    @Test
    void onlyWhatIsNotNormalHasAColour() {
        server.objects().create(pod("shop", "a", "x"));
        server.objects().create(pod("shop", "b", "x"));
        visit();
        phase("Running");
        ready("a");
        fail("b", "CrashLoopBackOff");
        browser.until("both", () -> browser.see("[data-key='shop/a'].GOOD").size() == 1
                && browser.see("[data-key='shop/b'].BAD").size() == 1 && browser.see(".informer.LIVE").size() == 5);
        String plain = browser.style("[data-key='shop/a'] .name", "color");
        assertThat(browser.style("[data-key='shop/a'] .tone", "color")).isEqualTo(plain);
        assertThat(browser.style("[data-key='shop/b'] .tone", "color")).isNotEqualTo(plain);
        assertThat(browser.style(".informer.LIVE", "borderLeftColor")).isEqualTo(browser.style(".card", "borderTopColor"));
    }

    @Test
    void sortsAndSearches() {
        server.objects().create(pod("shop", "a", "image-2"));
        server.objects().create(pod("shop", "b", "image-1"));
        server.objects().create(pod("other", "c", "image-3"));
        visit();
        browser.until("all", () -> keys().equals(List.of("other/c", "shop/a", "shop/b")));
        browser.click(".pods th.image button");
        assertThat(keys()).containsExactly("shop/b", "shop/a", "other/c");
        assertThat(browser.see(".pods th.image[aria-sort=ascending]")).hasSize(1);
        image("image-4");
        browser.until("it moves", () -> keys().equals(List.of("shop/b", "other/c", "shop/a")));
        browser.click(".pods th.image button");
        assertThat(keys()).containsExactly("shop/a", "other/c", "shop/b");
        browser.click(".pods th.image button");
        assertThat(keys()).containsExactly("other/c", "shop/a", "shop/b");
        browser.click("#search");
        browser.type("IMAGE-4");
        assertThat(keys()).containsExactly("shop/a");
        image("image-5");
        browser.until("it is not found any more", () -> keys().isEmpty());
        assertThat(browser.text(".pods h2 span")).isEqualTo("0");
        browser.type(Keys.chord(Keys.CONTROL, "a"), "image-5");
        assertThat(keys()).containsExactly("shop/a");
    }

    @Test
    void anEmptyTableNamesTheFilter() {
        server.objects().create(pod("shop", "a", "x"));
        visit();
        browser.until("it", () -> !pod("shop/a").isEmpty());
        browser.type("/");
        browser.type("app=none", Keys.ENTER);
        browser.until("none", () -> browser.text(".pods .nothing").equals("no pods with labels app=none"));
        browser.type(Keys.chord(Keys.SHIFT, Keys.TAB), "shop");
        browser.until("none", () -> browser.text(".pods .nothing").equals("no pods in namespace shop with labels app=none"));
        browser.click("#search");
        browser.type("q");
        assertThat(browser.text(".pods .nothing")).isEqualTo("no pods in namespace shop with labels app=none that match “q”");
    }

    @Test
    void aDisruptionIsShownInWordsAndMovesNothing() throws Exception {
        server.objects().create(pod("shop", "a", "x"));
        visit();
        browser.until("all live", () -> browser.see(".informer.LIVE").size() == 5 && !pod("shop/a").isEmpty());
        browser.countShifts();
        Object top = browser.ask(TABLES_TOP);
        browser.click("[data-fault=pause]");
        browser.until("what is wrong", () -> browser.text("#problem-list").matches("DISRUPTED: 5 informers \\("
                + "Pods, Deployments, Jobs, Nodes, Events\\)\\. cannot reach http://127\\.0\\.0\\.1:\\d+: .+ "
                + "Rows may be \\d+ s old\\. Next: try \\d+ (now|in \\d+ s)\\."));
        assertThat(browser.texts(".informer .cause")).allMatch(cause -> cause.matches("stale for \\d+ s · try \\d+ (now|in \\d+ s)"));
        assertThat(browser.texts("#marks .disruption")).containsOnly("D");
        assertThat(browser.texts("#happenings .disruption")).allMatch(line -> line.matches(".+ disruption of .+: .+"));
        assertThat(browser.style(".pods tbody", "fontStyle")).as("rows look stale").isEqualTo("italic");
        assertThat(browser.ask(TABLES_TOP)).isEqualTo(top);
        assertThat(browser.shift()).as("cumulative layout shift").isLessThan(0.1);
        browser.picture(Path.of("target/dashboard-phone-paused.png"), 390, 844, "light");
        assertThat((Long) browser.ask("return Math.round(document.querySelector('#problem-list').getBoundingClientRect().bottom)"))
                .as("within the first screen of a phone").isLessThan(844);
        browser.screen(1400, 1400, "light");
        browser.countShifts();
        browser.click("[data-fault=resume]");
        browser.until("all live", () -> browser.see(".informer.LIVE").size() == 5 && browser.text("#problem-count").equals("none"));
        browser.click("[data-fault=expire]");
        browser.until("relists", () -> !browser.see("#marks .relist").isEmpty() && !browser.see("#marks .resume").isEmpty());
        assertThat(browser.texts("#happenings .relist")).anyMatch(line -> line.contains("410"));
        browser.until("all live", () -> browser.see(".informer.LIVE").size() == 5);
        assertThat(browser.ask(TABLES_TOP)).isEqualTo(top);
        assertThat(browser.shift()).as("cumulative layout shift").isLessThan(0.1);
    }

    @Test
    void anInformerThatTheProgramHasStoppedIsNoProblem() {
        visit();
        browser.until("all live", () -> browser.see(".informer.LIVE").size() == 5);
        informers.informers().get(0).stop();
        browser.until("its state", () -> browser.see(".informer.STOPPED").size() == 1 && browser.see("#tables .stale").size() == 1);
        assertThat(browser.text("#problem-count")).isEqualTo("none");
    }

    @Test
    void theTimelineHasAxesWithUnits() {
        visit();
        browser.until("all of it", () -> browser.see(".informer.LIVE").size() == 5);
        assertThat(browser.text("#most")).matches("\\d+/s");
        assertThat(browser.text(".plot .x")).isEqualTo("2 min ago 1 min ago now");
    }

    /** In each state of the page: with rows and problems, disrupted, and with an object open. */
    @Test
    void axeFindsNothingInLightAndDarkOnThreeScreens() throws Exception {
        server.objects().create(pod("shop", "a", "x"));
        server.objects().create(pod("shop", "b", "x"));
        server.objects().create(NODE_NOT_READY);
        visit();
        fail("b", "CrashLoopBackOff");
        browser.until("rows", () -> browser.text("#problem-count").equals("2") && browser.see(".informer.LIVE").size() == 5);
        assertNoBarriers("live");
        browser.ask("document.querySelector('.pods .opens').click()");
        browser.until("the object", () -> browser.text("#yaml").contains("name: "));
        assertNoBarriers("details");
        browser.type(Keys.ESCAPE);
        browser.click("[data-fault=pause]");
        browser.until("all cut off", () -> browser.see(".informer.DISRUPTED").size() == 5 && browser.see("#tables .stale").size() == 5);
        assertNoBarriers("disrupted");
        browser.screen(1400, 1400, "light");
    }

    private void assertNoBarriers(String state) throws Exception {
        for (int width : List.of(390, 820, 1400)) {
            for (String scheme : List.of("light", "dark")) {
                browser.screen(width, 900, scheme);
                assertThat(browser.barriers()).as("%s, %s pixels, %s", state, width, scheme).isEmpty();
            }
        }
    }

    @Test
    void faultsArePressedAndRecoveryIsSeen() throws Exception {
        visit();
        browser.until("all live", () -> browser.see(".informer.LIVE").size() == 5);
        browser.click("[data-fault=cut]");
        browser.until("all resumed", () -> browser.texts(".informer.LIVE .facts").stream()
                .filter(facts -> facts.matches(".* [1-9]\\d* resumes")).count() == 5);
        assertThat(browser.texts(".informer .facts")).allMatch(facts -> facts.contains(" 0 relists"));
        browser.click("[data-fault=expire]");
        browser.until("all listed again",
                () -> browser.texts(".informer.LIVE .facts").stream().filter(facts -> facts.matches(".* [1-9]\\d* relists .*"))
                        .count() == 5);
        browser.click("[data-fault=pause]");
        browser.until("all cut off", () -> browser.see(".informer.DISRUPTED").size() == 5);
        assertThat(browser.texts(".informer .cause")).as("and why").noneMatch(String::isEmpty);
        browser.until("the page is connected", () -> browser.text("#connection").startsWith("Connected to the dashboard's server "));
        browser.until("informers that are not live", () -> browser.text("#hearing").equals("none of 5 is live"));
        browser.until("rows of when it did", () -> browser.texts("#tables .stale .note").stream()
                .filter(note -> note.matches("stale for \\d+ s")).count() == 5);
        browser.picture(Path.of("target/dashboard-paused.png"), 1400, 1000, "light");
        server.objects().create(pod("shop", "a", "x"));
        browser.click("[data-fault=resume]");
        browser.until("all live", () -> browser.see(".informer.LIVE").size() == 5);
        browser.until("what happened meanwhile", () -> !pod("shop/a").isEmpty());
        browser.until("as before", () -> browser.see("[data-fault=pause]").size() == 1 && browser.see("#tables .stale").isEmpty());
        assertThat(browser.text("#hearing")).isEqualTo("all 5 are live");
    }

    @Test
    void aSlowReaderIsShownTheLatest() {
        server.objects().create(pod("shop", "a", "image-0"));
        visit();
        browser.until("the pod", () -> pod("shop/a").contains("image-0"));
        browser.click("#slow");
        browser.until("the mark of it", () -> browser.text("#browsers .you").contains("slow"));
        int edits = 0;
        for (; number("#browsers .you td:nth-child(4)") == 0; edits++) {
            image("image-" + (edits + 1));
        }
        String last = "image-" + edits;
        browser.until("the latest", () -> pod("shop/a").contains(last));
    }

    /**
     * The other one is a window whose network takes what comes at the rate of a byte a second. Had it only not looked at what it has, its
     * kernel would have taken up to 32 MB for it.
     */
    @Test
    void whoStandsStillDelaysNoOther() {
        for (int i = 0; i < SOME; i++) {
            server.objects().create(pod("shop", "pod-" + i, "image-000"));
        }
        visit();
        browser.until("the pods", () -> shows("image-000"));
        String still = browser.openStandingStill(dashboard.url() + "ui/icon.svg", "/ui/changes");
        browser.until("both", () -> browser.see("#browsers tbody tr").size() == 2);
        for (int edit = 1; number("#browsers tr:not(.you) td:nth-child(4)") == 0; edit++) {
            String image = "image-%03d".formatted(edit);
            for (int i = 0; i < SOME; i++) {
                largeEdit(ObjectKey.of("shop", "pod-" + i), image);
            }
            browser.until("them at once", () -> shows(image));
        }
        assertThat(number("#browsers tr:not(.you) td:nth-child(2)")).as("of each row one, however often it changes")
                .isLessThanOrEqualTo(SOME);
        browser.close(still);
        browser.until("itself", () -> browser.see("#browsers tbody tr").size() == 1);
    }

    @Test
    void ofALongTableItShowsTheFirst() {
        for (int i = 0; i < 510; i++) {
            server.objects().create(pod("shop", "pod-%03d".formatted(i), "x"));
        }
        visit();
        browser.until("all of them", () -> browser.text(".pods h2").contains("510, of which the first 500 are shown"));
        assertThat(keys()).hasSize(500).startsWith("shop/pod-000").endsWith("shop/pod-499").isSorted();
        server.objects().deleteNow(PODS, ObjectKey.of("shop", "pod-000"));
        browser.until("one that moves up", () -> !pod("shop/pod-500").isEmpty());
        server.objects().create(pod("shop", "pod-0000", "x"));
        browser.until("one that makes room", () -> pod("shop/pod-500").isEmpty());
        assertThat(keys()).hasSize(500).startsWith("shop/pod-0000").endsWith("shop/pod-499").isSorted();
        browser.type("/");
        browser.type("app=pod-509", Keys.ENTER);
        browser.until("the last", () -> keys().equals(List.of("shop/pod-509")));
        assertThat(browser.text(".pods h2 span")).isEqualTo("1");
    }

    /** The pictures are to be looked at: {@code target/dashboard-*.png}. */
    @Test
    void isReadableInLightInDarkAndOnAPhone() throws Exception {
        EmbeddedCluster.live(server);
        try (WorkloadControllers controllers = WorkloadControllers.over(client, informers)) {
            controllers.start();
            browser.visit(dashboard.url());
            browser.until("life", () -> browser.see(".informer.LIVE").size() == 5 && browser.see(".pods tr.GOOD").size() > 3
                    && !browser.see(".jobs tbody tr").isEmpty());
            browser.picture(Path.of("target/dashboard-light.png"), 1400, 1000, "light");
            browser.picture(Path.of("target/dashboard-dark.png"), 1400, 1000, "dark");
            assertThat(browser.ask("return getComputedStyle(document.body).backgroundColor")).as("dark").isEqualTo("rgb(15, 21, 25)");
            for (String scheme : List.of("light", "dark")) {
                browser.picture(Path.of("target/dashboard-phone-" + scheme + ".png"), 390, 844, scheme);
            }
            assertThat((Long) browser.ask("return document.documentElement.scrollWidth")).as("no scrolling sideways")
                    .isLessThanOrEqualTo(390);
        }
    }

    private void visit() {
        informers.start();
        browser.visit(dashboard.url());
    }

    /** What the row says; empty if there is none. */
    private String pod(String key) {
        return browser.text("[data-key='" + key + "']");
    }

    private List<String> keys() {
        List<?> keys = (List<?>) browser.ask("return [...document.querySelectorAll('.pods [data-key]')].map(line => line.dataset.key)");
        return keys.stream().map(String::valueOf).toList();
    }

    private int number(String css) {
        String text = browser.text(css);
        return text.isEmpty() ? 0 : Integer.parseInt(text);
    }

    private void phase(String phase) {
        server.objects().edit(PODS, SHOP_A, pod -> {
            ((ObjectNode) pod.path("status")).put("phase", phase);
            return pod;
        });
    }

    /** The first container waits for that reason; it runs again if it is empty. */
    private void fail(String name, String reason) {
        server.objects().edit(PODS, ObjectKey.of("shop", name), pod -> {
            var container = ((ObjectNode) pod.path("status")).putArray("containerStatuses").addObject()
                    .put("name", "main").put("image", "x").put("imageID", "").put("ready", reason.isEmpty()).put("restartCount", 3);
            if (!reason.isEmpty()) {
                container.putObject("state").putObject("waiting").put("reason", reason);
            }
            return pod;
        });
    }

    private void ready(String name) {
        fail(name, "");
    }

    private void image(String image) {
        server.objects().edit(PODS, SHOP_A, pod -> {
            ((ObjectNode) pod.at("/spec/containers/0")).put("image", image);
            return pod;
        });
    }

    /** With labels that fill a connection soon. */
    private void largeEdit(ObjectKey key, String image) {
        server.objects().edit(PODS, key, pod -> {
            for (int each = 0; each < 330; each++) {
                ((ObjectNode) pod.at("/metadata/labels")).put("padding-" + each, "x".repeat(60));
            }
            ((ObjectNode) pod.at("/spec/containers/0")).put("image", image);
            return pod;
        });
    }

    /** Whether all of some pods have that image. */
    private boolean shows(String image) {
        return Pattern.compile(image).matcher(browser.text(".pods tbody")).results().count() == SOME;
    }

    private static String pod(String namespace, String name, String image) {
        return """
                {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: %s, labels: {app: %s}}, spec: {containers: [{name: main, \
                image: '%s'}]}}
                """.formatted(name, namespace, name, image.replace("'", "''"));
    }
}
