package io.reactiveinformer.apiserver.internal.cluster;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A shard selector such as {@code shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')}, or several with {@code ||}:
 * ranges of a hash of one field.
 */
public record ShardRanges(String text, String field, List<Range> ranges) {

    public static final ShardRanges ANY = new ShardRanges("", "", List.of());

    private static final Pattern RANGE = Pattern.compile(
            "\\s*shardRange\\(\\s*([a-z.A-Z]+)\\s*,\\s*'(0x[0-9a-f]{16})'\\s*,\\s*'(0x[0-9a-f]{16}|0x10000000000000000)'\\s*\\)\\s*");
    private static final int HEX = 16;

    /** @param end exclusive */
    record Range(BigInteger start, BigInteger end) {}

    /**
     * Parses the text of a shard selector.
     *
     * @throws ApiFailure if it cannot be parsed, or names a field other than uid or namespace, or two fields
     */
    public static ShardRanges parse(String text) {
        if (text.isEmpty()) {
            return ANY;
        }
        List<Range> ranges = new ArrayList<>();
        String field = "";
        for (String part : text.split("\\|\\|", -1)) {
            Matcher matcher = RANGE.matcher(part);
            if (!matcher.matches()) {
                throw ApiFailure.badRequest("invalid shardSelector: unable to parse \"" + part.strip() + "\"");
            }
            field = field(matcher.group(1), field);
            var range = new Range(number(matcher.group(2)), number(matcher.group(3)));
            if (range.start().compareTo(range.end()) >= 0) {
                throw ApiFailure.badRequest("shard range start " + matcher.group(2) + " must be less than end " + matcher.group(3));
            }
            ranges.add(range);
        }
        return new ShardRanges(text, field, List.copyOf(ranges));
    }

    private static String field(String named, String before) {
        if (!named.equals("object.metadata.uid") && !named.equals("object.metadata.namespace")) {
            throw ApiFailure.badRequest("unsupported field path \"" + named
                    + "\"; supported: object.metadata.uid, object.metadata.namespace");
        }
        if (!before.isEmpty() && !before.equals(named)) {
            throw ApiFailure.badRequest("all shard ranges must use the same field, got \"" + before + "\" and \"" + named + "\"");
        }
        return named;
    }

    private static BigInteger number(String hex) {
        return new BigInteger(hex.substring(2), HEX);
    }

    boolean isAny() {
        return ranges.isEmpty();
    }

    boolean matches(StoredObject object) {
        if (isAny()) {
            return true;
        }
        String namespace = object.namespace();
        BigInteger hash = hash(field.endsWith("uid") ? object.uid() : namespace == null ? "" : namespace);
        return ranges.stream().anyMatch(range -> range.start().compareTo(hash) <= 0 && hash.compareTo(range.end()) < 0);
    }

    private static BigInteger hash(String value) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        return new BigInteger(Long.toUnsignedString(hash));
    }
}
