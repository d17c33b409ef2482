package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.YamlText;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufObjects;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;

/** Answers in whatever encoding as the JSON that they would be, so that they can be compared. */
public final class BodyText {

    private BodyText() {}

    public static String of(String contentType, byte[] sent) {
        byte[] body = sent.length > 2 && sent[0] == 0x1f && sent[1] == (byte) 0x8b ? unpacked(sent) : sent;
        if (contentType.startsWith("application/yaml")) {
            return YamlText.read(new String(body, StandardCharsets.UTF_8)).get(0).toString();
        }
        if (!contentType.startsWith("application/vnd.kubernetes.protobuf")) {
            return new String(body, StandardCharsets.UTF_8);
        }
        return contentType.endsWith(";stream=watch") ? events(body) : ProtobufObjects.read(body).toString();
    }

    private static byte[] unpacked(byte[] gzip) {
        try (var in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
            return in.readAllBytes();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String events(byte[] body) {
        var lines = new ByteArrayOutputStream();
        ByteBuffer frames = ByteBuffer.wrap(body);
        while (frames.hasRemaining()) {
            byte[] event = new byte[Integer.BYTES + frames.getInt(frames.position())];
            frames.get(event);
            lines.writeBytes(Json.write(ProtobufObjects.readEvent(event)));
            lines.write('\n');
        }
        return lines.toString(StandardCharsets.UTF_8);
    }
}
