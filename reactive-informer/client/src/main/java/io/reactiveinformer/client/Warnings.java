package io.reactiveinformer.client;

import io.reactiveinformer.transport.Transport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the warnings in answers: a version that will be removed, a field that the server does not know. Each is logged once.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7234#section-5.5">RFC 7234, 5.5: Warning</a>
 */
final class Warnings {

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesClient.class);

    /** The only code that API servers use: a warning for people. */
    private static final String MISCELLANEOUS = "299";
    /** Code, agent, quoted text, and perhaps a quoted date. */
    private static final Pattern WARNING =
            Pattern.compile("\\s*([0-9]{3}) (\\S+) \"((?:[^\"\\\\]|\\\\.)*+)\"(?: \"[^\"]*\")?\\s*(?:,|$)");
    /**
     * Control characters, also those above 127, and Unicode's own line breaks: a log would take them for a new line, or a terminal for a
     * command.
     */
    private static final String UNPRINTABLE = "[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]";
    private static final int LONGEST = 1000;
    /** Most warnings that are remembered. A forgotten one is logged again, which does no harm with so many. */
    private static final int MOST = 500;

    private final Map<String, Boolean> logged = new LinkedHashMap<>() { // guarded by itself
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST;
        }
    };

    void report(Transport.Answer answer, RequestDescription attempt) {
        for (String field : answer.headers().all("Warning")) {
            for (String text : parse(field)) {
                if (isNew(text)) {
                    LOG.warn("the server sent a warning about the request to {}: {}", attempt, text);
                }
            }
        }
    }

    private boolean isNew(String text) {
        synchronized (logged) {
            return logged.put(text, Boolean.TRUE) == null;
        }
    }

    /** The texts of a field, up to the first that is malformed. */
    static List<String> parse(String field) {
        var texts = new ArrayList<String>();
        Matcher matcher = WARNING.matcher(field);
        int at = 0;
        while (at < field.length() && matcher.region(at, field.length()).lookingAt()) {
            String text = matcher.group(3).replaceAll("\\\\(.)", "$1").replaceAll(UNPRINTABLE, " ").strip();
            if (matcher.group(1).equals(MISCELLANEOUS) && !text.isEmpty()) {
                texts.add(text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text);
            }
            at = matcher.end();
        }
        return texts;
    }
}
