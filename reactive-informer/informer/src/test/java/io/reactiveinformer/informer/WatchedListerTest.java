package io.reactiveinformer.informer;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Lister;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** A namespace that is not watched reads as an empty one: the log tells them apart. */
class WatchedListerTest {

    private final Logger log = (Logger) LoggerFactory.getLogger(Informer.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void readTheLog() {
        lines.start();
        log.addAppender(lines);
    }

    @AfterEach
    void leaveTheLog() {
        log.detachAppender(lines);
    }

    private static Informer<String> informer(Namespaces namespaces) {
        return Informer.over("texts in " + namespaces, namespaces, part -> (ListerWatcher<String>) null, ReflectorOptions.defaults());
    }

    private List<String> logged() {
        return lines.list.stream().map(line -> "[" + line.getLevel() + "] " + line.getFormattedMessage()).toList();
    }

    @Test
    void eachNamespaceThatIsReadButNotWatchedIsNamedOnce() {
        Lister<String> lister = informer(Namespaces.of("shop")).lister();
        Lister<String> tools = lister.inNamespace("tools");
        assertThat(lister.get(ObjectKey.of("shop", "a"))).isEmpty();
        assertThat(lister.inNamespace("shop").list()).isEmpty();
        assertThat(logged()).isEmpty();

        for (int i = 0; i < 3; i++) {
            assertThat(tools.list()).isEmpty();
            assertThat(tools.count()).isZero();
            assertThat(lister.get(ObjectKey.of("other", "a"))).isEmpty();
        }
        assertThat(logged()).containsExactly(
                "[WARN] texts in namespace shop: namespace tools is read, which this informer does not watch: what is there looks absent."
                        + " Use an informer of that namespace",
                "[WARN] texts in namespace shop: namespace other is read, which this informer does not watch: what is there looks absent."
                        + " Use an informer of that namespace");
    }

    @Test
    void whatIsOrWasWatchedIsReadWithoutAWord() {
        informer(Namespaces.all()).lister().inNamespace("tools").list();
        Informer<String> resized = informer(Namespaces.of("shop"));
        resized.resize(Namespaces.of("tools"));
        resized.lister().inNamespace("tools").list();
        resized.lister().inNamespace("shop").list();
        assertThat(logged()).isEmpty();
    }

    @Test
    void theLogStaysShortIfCallersChooseTheNamespace() {
        Lister<String> lister = informer(Namespaces.of("shop")).lister();
        for (int i = 0; i < 1_000; i++) {
            lister.inNamespace("n" + i).keys();
        }
        assertThat(logged()).hasSize(16);
    }
}
