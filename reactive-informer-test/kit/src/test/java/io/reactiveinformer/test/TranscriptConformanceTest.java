package io.reactiveinformer.test;

import io.reactiveinformer.recordings.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The recordings of a real API server are the judge: each request, sent to ours, is to get the same answer. */
class TranscriptConformanceTest {

    /** Raised with the server, never lowered. */
    private static final int FULLY_MATCHED = 336;

    private static final List<String> FILES = List.of(
            "01-list-pods", "02-list-paged", "03-list-rv0-limit", "04-list-rv-match", "05-watch-events", "06-watch-bookmarks",
            "07-watch-timeout", "07b-server-side-timeout", "08-watch-too-old", "09-continue-expired", "09b-no-watch-cache",
            "10-rv-too-large", "11-watchlist", "12-watchlist-invalid", "13-unauthorized", "14-forbidden", "15-not-found",
            "16-too-many-requests", "17-selectors", "18-partial-object-metadata", "19-table", "20-crd", "21-crd-changes-during-watch",
            "22-gzip", "23-writes", "24-discovery", "25-watch-single", "26-apiserver-stops", "26b-graceful-with-delay",
            "27-rv-after-restart", "29-events", "30-leases", "31-finalizer", "32-etcd-down", "34-startup", "35-rv-goes-backwards",
            "36-cascades", "38-large-event", "41-protobuf-cbor");

    @Test
    void answersAsTheRecordedServerDid() throws IOException {
        List<TranscriptReplay.Verdict> verdicts = new ArrayList<>();
        for (String file : FILES) {
            Recording recording = Recording.of(file);
            var states = new RecordedStates();
            for (String source : TranscriptScenes.statesOf(file)) {
                Recording.of(source).exchanges().forEach(states::read);
            }
            try (var replay = new TranscriptReplay(recording, states, TranscriptScenes.of(file))) {
                verdicts.addAll(replay.run());
            }
        }
        Path report = Files.createDirectories(Path.of("target")).resolve("conformance.md");
        Files.writeString(report, table(verdicts));
        long matched = verdicts.stream().filter(TranscriptReplay.Verdict::matches).count();
        assertThat(verdicts).hasSize(339);
        assertThat(Files.readString(page())).as("the page's rows are these").contains(rows(verdicts));
        assertThat(matched).as("exchanges that match fully; see %s", report.toAbsolutePath()).isGreaterThanOrEqualTo(FULLY_MATCHED);
    }

    /** How many of each recording match, as the page says it. */
    private static List<String> rows(List<TranscriptReplay.Verdict> verdicts) {
        return FILES.stream()
                .map(file -> {
                    List<TranscriptReplay.Verdict> own = verdicts.stream().filter(verdict -> verdict.file().equals(file)).toList();
                    return "| " + file + " | " + own.stream().filter(TranscriptReplay.Verdict::matches).count()
                            + " of " + own.size() + " |";
                })
                .toList();
    }

    private static Path page() {
        Path here = Path.of("docs/decisions/fake-api-server-conformance.md");
        return Files.exists(here) ? here : Path.of("..", "..").resolve(here);
    }

    private static String table(List<TranscriptReplay.Verdict> verdicts) {
        var table = new StringBuilder(
                "# Conformance with the recordings\n\n| recording | matched | first difference |\n| --- | --- | --- |\n");
        for (String file : FILES) {
            List<TranscriptReplay.Verdict> own = verdicts.stream().filter(verdict -> verdict.file().equals(file)).toList();
            long matched = own.stream().filter(TranscriptReplay.Verdict::matches).count();
            table.append("| ").append(file).append(" | ").append(matched).append(" of ").append(own.size()).append(" | |\n");
        }
        table.append("\n");
        verdicts.stream()
                .filter(verdict -> !verdict.matches())
                .forEach(verdict -> table.append("- ").append(verdict.file()).append(" ").append(verdict.number()).append(" (")
                        .append(verdict.title()).append("): ").append(verdict.difference()).append('\n'));
        return table.toString();
    }
}
