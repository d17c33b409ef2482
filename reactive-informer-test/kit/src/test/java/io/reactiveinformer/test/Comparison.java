package io.reactiveinformer.test;

import io.reactiveinformer.recordings.Recording;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whether two answers are the same to a client: status, the headers that it acts on, and the body but for uids and times. */
final class Comparison {

    private static final List<String> HEADERS =
            List.of("Content-Type", "Retry-After", "Warning", "Cache-Control", "X-Content-Type-Options", "Vary", "Content-Encoding");

    private Comparison() {}

    static String difference(Recording.Exchange recorded, int status, Headers headers, String body) {
        if (status != recorded.status()) {
            return "status " + status + " instead of " + recorded.status() + ": " + shorten(body);
        }
        for (String header : HEADERS) {
            String actual = headers.first(header).orElse("");
            if (!actual.equals(recorded.header(header))) {
                return header + ": \"" + actual + "\" instead of \"" + recorded.header(header) + "\"";
            }
        }
        List<JsonNode> wanted = trees(RecordedStates.text(recorded));
        List<JsonNode> got = trees(body);
        if (wanted.isEmpty()) {
            return RecordedStates.text(recorded).strip().equals(body.strip()) || got.isEmpty() && RecordedStates.text(recorded).isBlank()
                    ? ""
                    : "body \"" + shorten(body) + "\" instead of \"" + shorten(RecordedStates.text(recorded)) + "\"";
        }
        for (int i = 0; i < Math.max(wanted.size(), got.size()); i++) {
            String line = wanted.size() > 1 ? "line " + (i + 1) + ": " : "";
            if (i >= got.size() || i >= wanted.size()) {
                return line + (i >= got.size() ? "missing " + shorten(wanted.get(i)) : "too much: " + shorten(got.get(i)));
            }
            String difference = difference("", wanted.get(i), got.get(i));
            if (!difference.isEmpty()) {
                return line + difference;
            }
        }
        return "";
    }

    /** The end of a generated name is as random as a uid. */
    private static String generated(String body) {
        return body.replaceAll("(\"name\":\"gen-)[a-z0-9]{5}\"", "$1XXXXX\"");
    }

    private static List<JsonNode> trees(String body) {
        String text = generated(body).replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UID")
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z", "TIME")
                .replaceAll("\\?hash=[0-9A-Fa-f]+", "?hash=OF_THE_DOCUMENT")
                .strip();
        List<JsonNode> trees = new ArrayList<>();
        if (!text.startsWith("{")) {
            return trees;
        }
        try {
            trees.add(JsonMapper.shared().readTree(text));
            if (text.indexOf('\n') < 0) {
                return trees;
            }
        } catch (JacksonException severalOrCut) {
            trees.clear();
        }
        trees.clear();
        for (String line : text.contains("\n ") ? List.of(text) : text.lines().toList()) {
            try {
                trees.add(JsonMapper.shared().readTree(line));
            } catch (JacksonException cut) {
                break;
            }
        }
        return trees;
    }

    private static String difference(String path, JsonNode wanted, JsonNode got) {
        if (wanted.isObject() && got.isObject()) {
            for (var field : wanted.properties()) {
                JsonNode other = got.get(field.getKey());
                String here = path + "." + field.getKey();
                if (other == null) {
                    return here + " missing, should be " + shorten(field.getValue());
                }
                String difference = difference(here, field.getValue(), other);
                if (!difference.isEmpty()) {
                    return difference;
                }
            }
            for (var field : got.properties()) {
                if (!wanted.has(field.getKey())) {
                    return path + "." + field.getKey() + " should not be there: " + shorten(field.getValue());
                }
            }
            return "";
        }
        if (wanted.isArray() && got.isArray()) {
            for (int i = 0; i < Math.min(wanted.size(), got.size()); i++) {
                String difference = difference(path + "[" + i + "]", wanted.get(i), got.get(i));
                if (!difference.isEmpty()) {
                    return difference;
                }
            }
            return wanted.size() == got.size() ? "" : path + " has " + got.size() + " items instead of " + wanted.size();
        }
        boolean same = wanted.isNumber() && got.isNumber()
                ? wanted.decimalValue().compareTo(got.decimalValue()) == 0
                : Objects.equals(wanted, got);
        return same ? "" : path + " is " + shorten(got) + " instead of " + shorten(wanted);
    }

    private static String shorten(Object text) {
        String whole = text.toString();
        return whole.length() < 200 ? whole : whole.substring(0, 200) + "…";
    }
}
