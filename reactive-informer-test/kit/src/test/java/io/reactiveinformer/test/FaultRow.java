package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.Backup;
import io.reactiveinformer.test.faults.Cut;
import io.reactiveinformer.test.faults.Fault;
import io.reactiveinformer.test.faults.FaultSetup;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Every fault there is, and how a watch and a list of three config maps end with it, as one line each. */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
enum FaultRow {
    CUT_FIN("cut", watch -> watch.after(1).events().cut(Cut.FIN), "200: a, broken", list -> list.after(100).bytes().cut(Cut.FIN),
            "200: broken"),
    CUT_RST("cut", watch -> watch.after(200).bytes().cut(Cut.RST), "200:.* broken", list -> list.after(100).bytes().cut(Cut.RST),
            "200: broken"),
    REFUSE("refuse", FaultSetup::refuse, "broken"),
    DELAY("delay", any -> any.delay(Duration.ofMillis(300)), "200: a, b, c, complete"),
    STALL("stall", watch -> watch.after(1).events().stall(), "200: a, silent", list -> list.after(100).bytes().stall(), "200: silent"),
    STALL_AT_ONCE("stall", FaultSetup::stall, "silent"),
    TRUNCATE("truncate", watch -> watch.after(2).events().truncate(), "200: a, b, complete",
            list -> list.after(100).bytes().truncate(), "200: garbage, complete"),
    END_AT_ONCE("endAtOnce", FaultSetup::endAtOnce, "200: complete"),
    GARBLE("garble", watch -> watch.after(1).events().garble(), "200: a, garbage, c, complete",
            FaultSetup::garble, "200: garbage, complete"),
    DUPLICATE("duplicate", watch -> watch.after(1).events().duplicate(), "200: a, b, b, c, complete",
            FaultSetup::duplicate, "200: garbage, complete"),
    REORDER("reorder", watch -> watch.after(0).events().reorder(), "200: b, a, c, complete", null, ""),
    EXPIRE("expire", watch -> watch.after(1).events().expire(), "200: a, ERROR 410, complete", FaultSetup::expire, "410: complete"),
    GONE("gone", FaultSetup::gone, "410: complete"),
    TOO_MANY_REQUESTS("tooManyRequests", any -> any.tooManyRequests(Duration.ofSeconds(2)), "429: garbage, complete"),
    PLAIN_TEXT("plainText", any -> any.plainText(502, "bad gateway"), "502: garbage, complete"),
    INITIALIZING("initializing", FaultSetup::initializing, "429: complete"),
    NOT_READY("notReady", FaultSetup::notReady, "503: complete"),
    INTERNAL_ERROR("internalError", FaultSetup::internalError, "500: complete"),
    TOO_LARGE_VERSION("tooLargeVersion", FaultSetup::tooLargeVersion, "504: complete"),
    STATUS("status", any -> any.status(403, "Forbidden", "not today"), "403: complete"),
    CHECKS_FAIL("checksFail", any -> any.checksFail("etcd"), "500: (garbage, )+complete"),
    SHUTTING_DOWN("shuttingDown", FaultSetup::shuttingDown, "429: garbage, complete"),
    ANSWER("answer", any -> any.answer("{kind: Status, apiVersion: v1, code: 418, reason: Teapot}"), "418: complete"),
    RESTART("restart", FaultSetup::restart, "broken"),
    RESTART_KEEPING("restartKeeping", any -> any.restartKeeping(2), "broken"),
    RESTORE("restore", any -> any.restore(Backup.parse("{\"version\":100,\"objects\":[]}")), "broken"),

    /** Of those who ask for what was before: see {@link #watch} and {@link #list}. */
    COMPACT("compact", FaultSetup::compact, "200: ERROR 410, complete", FaultSetup::compact, "410: complete"),
    WITHOUT_END_MARK("withholdInitialEventsEnd", FaultSetup::withholdInitialEventsEnd, "200: a, b, c, complete", null, "");

    private static final String CONFIG_MAPS = "/api/v1/configmaps";
    private static final String STREAMING_LIST = "0&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";

    /** Of {@link FaultSetup}. */
    final String method;
    final Function<FaultSetup, Fault> inWatches;
    final String endOfAWatch;

    /** Null where only a watch can have it: events to change places, and an end of the initial ones. */
    final @Nullable Function<FaultSetup, Fault> inLists;
    final String endOfAList;

    FaultRow(String method, Function<FaultSetup, Fault> inWatches, String endOfAWatch, @Nullable Function<FaultSetup, Fault> inLists,
            String endOfAList) {
        this.method = method;
        this.inWatches = inWatches;
        this.endOfAWatch = endOfAWatch;
        this.inLists = inLists;
        this.endOfAList = endOfAList;
    }

    FaultRow(String method, Function<FaultSetup, Fault> anywhere, String end) {
        this(method, anywhere, end, anywhere, end);
    }

    boolean isForLists() {
        return inLists != null;
    }

    /** @param before a version from before the config maps were there */
    String watch(String before) {
        String from = this == COMPACT ? before : this == WITHOUT_END_MARK ? STREAMING_LIST : "0";
        return CONFIG_MAPS + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=1&resourceVersion=" + from;
    }

    String list(String before) {
        return CONFIG_MAPS + (this == COMPACT ? "?resourceVersionMatch=Exact&resourceVersion=" + before : "");
    }

    FaultTrial trialOfWatches() {
        return new FaultTrial("watch", inWatches, this == RESTORE);
    }

    FaultTrial trialOfLists() {
        return new FaultTrial("list", inLists, this == RESTORE);
    }
}
