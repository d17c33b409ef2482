package io.reactiveinformer.kafka;

import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes rows as bytes, and reads them. Equal rows must give equal bytes, or a new publisher writes rows again that did not change. Any
 * thread may call it.
 *
 * @param <T> the rows
 */
public interface RowCodec<T> {

    /** The bytes of {@code row}, never null. If it throws, the publication fails. */
    byte[] encode(T row);

    /** The row of {@code bytes}. If it throws, the row counts as unreadable: the last good state of it stays, and the status lists it. */
    T decode(byte[] bytes);

    /** Rows as JSON objects, written and read by Jackson's default rules: records, beans, maps. */
    static <T> RowCodec<T> json(Class<T> type) {
        JsonMapper mapper = JsonMapper.builder().build();
        ObjectWriter writer = mapper.writerFor(type);
        ObjectReader reader = mapper.readerFor(type);
        return new RowCodec<>() {
            @Override
            public byte[] encode(T row) {
                return writer.writeValueAsBytes(row);
            }

            @Override
            public T decode(byte[] bytes) {
                return reader.readValue(bytes);
            }
        };
    }
}
