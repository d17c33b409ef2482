package io.reactiveinformer.codec;

import java.util.Arrays;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Puts a placeholder where an object, a list or a map stands in the bytes that was bound before, so that it is neither bound nor held again. One
 * for each body. Bytes that are not as they should be are left as they are: they are told of by who binds them.
 */
final class TreeFolder {

    private static final int NOT_JSON = -1;
    private static final byte[] NONE = {};

    private final SharedTrees trees;
    private final CRC32 checksum = new CRC32();
    private final FoldedTrees folded;

    private byte[] bytes = NONE;
    private int to;
    private int copied;
    private int object;
    private int depth;

    /** @param folded where what comes of it is held */
    TreeFolder(SharedTrees trees, FoldedTrees folded) {
        this.trees = trees;
        this.folded = folded;
    }

    /** Whether {@code folded} holds the object of the class of {@code root} now, which is in the bytes. */
    boolean fold(TreeDeserializer root, byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.to = to;
        this.copied = from;
        this.object = trees.nextObject();
        this.depth = 1;
        folded.clear();
        boolean complete = bytes[from] == '{' && object(root, from) != NOT_JSON;
        if (complete) {
            copyTo(to);
        } else {
            folded.clear(); // nothing of it is to be found in the bytes as they are
        }
        this.bytes = NONE;
        return complete && folded.count() > 0;
    }

    /** @return the index after the value, {@link #NOT_JSON} if it has no end */
    private int value(@Nullable TreeDeserializer reader, int from) {
        if (from >= to) {
            return NOT_JSON;
        }
        return switch (bytes[from]) {
            case '"' -> endOfString(from);
            case '{', '[' -> reader == null || !reader.reads(bytes[from]) ? endOfTree(from) : tree(reader, from);
            default -> endOfScalar(from);
        };
    }

    private int tree(TreeDeserializer reader, int from) {
        int count = folded.count();
        int start = folded.length() + from - copied;
        if (++depth > ObjectCodec.DEEPEST) {
            return NOT_JSON;
        }
        int end = bytes[from] == '{' ? object(reader, from) : array(reader, from);
        depth--;
        if (end != NOT_JSON && end - from <= SharedTrees.LONGEST) {
            Object value = known(reader, from, end, start, count);
            if (value != null) {
                if (copied <= from) {
                    copyTo(from);
                }
                folded.rewind(start, count);
                folded.addPlaceholder(value);
                copied = end;
            }
        }
        return end;
    }

    /** The tree, or what is to become of it; null if it is to stay where it is. */
    private @Nullable Object known(TreeDeserializer reader, int from, int end, int start, int count) {
        checksum.reset();
        checksum.update(bytes, from, end - from);
        int hash = (int) checksum.getValue() ^ reader.salt;
        Object value = trees.find(reader, bytes, from, end, hash);
        if (value != null || !trees.meet(hash, object)) {
            return value;
        }
        copyTo(end);
        return new FoldedTrees.Unbound(trees, reader, Arrays.copyOfRange(bytes, from, end), hash, folded.since(start, count));
    }

    private void copyTo(int end) {
        folded.add(bytes, copied, end);
        copied = end;
    }

    private int object(TreeDeserializer reader, int from) {
        TreeDeserializer ofValues = reader.ofElements();
        int at = afterBlanks(from + 1);
        while (at < to && bytes[at] == '"') {
            int nameEnd = endOfString(at);
            int colon = nameEnd == NOT_JSON ? to : afterBlanks(nameEnd);
            if (colon >= to || bytes[colon] != ':') {
                return NOT_JSON;
            }
            int value = afterBlanks(colon + 1);
            boolean tree = value < to && (bytes[value] == '{' || bytes[value] == '[');
            TreeDeserializer child = !tree ? null : ofValues == null ? reader.ofProperty(bytes, at + 1, nameEnd - 1) : ofValues;
            int end = value(child, value);
            if (end == NOT_JSON) {
                return NOT_JSON;
            }
            at = afterBlanks(end);
            if (at < to && bytes[at] == ',') {
                at = afterBlanks(at + 1);
            }
        }
        return at < to && bytes[at] == '}' ? at + 1 : NOT_JSON;
    }

    private int array(TreeDeserializer reader, int from) {
        TreeDeserializer ofElements = reader.ofElements();
        int at = afterBlanks(from + 1);
        while (at < to && bytes[at] != ']') {
            int end = value(ofElements, at);
            if (end == NOT_JSON || end == at) {
                return NOT_JSON;
            }
            at = afterBlanks(end);
            if (at < to && bytes[at] == ',') {
                at = afterBlanks(at + 1);
            }
        }
        return at < to ? at + 1 : NOT_JSON;
    }

    private int endOfScalar(int from) {
        int at = from;
        while (at < to && bytes[at] != ',' && bytes[at] != '}' && bytes[at] != ']') {
            at++;
        }
        return at;
    }

    private int endOfString(int from) {
        int at = from + 1;
        while (at < to) {
            byte b = bytes[at++];
            if (b == '"') {
                return at;
            }
            if (b == '\\') {
                at++;
            }
        }
        return NOT_JSON;
    }

    /** Of an object or a list that is not looked into. */
    private int endOfTree(int from) {
        int outer = depth;
        int at = from;
        while (at < to) {
            byte b = bytes[at];
            if (b == '"') {
                at = endOfString(at);
                if (at == NOT_JSON) {
                    return NOT_JSON;
                }
                continue;
            }
            at++;
            int bracket = b | 0x20; // square and curly ones differ only in this bit
            if (bracket == '{' && ++depth > ObjectCodec.DEEPEST) {
                return NOT_JSON;
            }
            if (bracket == '}' && --depth == outer) {
                return at;
            }
        }
        return NOT_JSON;
    }

    private int afterBlanks(int from) {
        int at = from;
        while (at < to && bytes[at] <= ' ' && bytes[at] >= 0) {
            at++;
        }
        return at;
    }
}
