package io.reactiveinformer.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.bean.BeanDeserializer;
import tools.jackson.databind.deser.jdk.CollectionDeserializer;
import tools.jackson.databind.deser.jdk.MapDeserializer;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.CollectionType;
import tools.jackson.databind.type.MapType;

/**
 * Reads an object, a list or a map as ever, or takes the one that a {@link TreeFolder} has found in its place. Those that Jackson has put
 * together for a class are also the map by which the folder finds its way: what has no such reader is not replaced. Only {@link PlainClasses} have one.
 */
final class TreeDeserializer extends DelegatingDeserializer {

    /** What stands where a tree was. No tree is written so, and one that a server wrote stands elsewhere than the folder's. */
    static final byte PLACEHOLDER = '0';

    private static final AtomicInteger MADE = new AtomicInteger();

    /** Differs between readers: the same bytes may be trees of two classes. */
    final int salt = MADE.incrementAndGet() * 0x85EBCA6B;

    private transient volatile @Nullable Children children;

    private TreeDeserializer(ValueDeserializer<?> delegate) {
        super(delegate);
    }

    static SimpleModule module() {
        return new SimpleModule("shared trees").setDeserializerModifier(new Wrapping());
    }

    @Override
    protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> delegate) {
        return new TreeDeserializer(delegate);
    }

    @Override
    public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT && context.getAttribute(FoldedTrees.class) instanceof FoldedTrees folded) {
            Object value = folded.at(parser.currentTokenLocation().getByteOffset());
            if (value != null) {
                return value instanceof FoldedTrees.Unbound unbound ? bind(unbound, folded, context) : value;
            }
        }
        return super.deserialize(parser, context);
    }

    private @Nullable Object bind(FoldedTrees.Unbound unbound, FoldedTrees folded, DeserializationContext context) {
        FoldedTrees within = unbound.within();
        folded.enter(within);
        try (JsonParser inner = context.tokenStreamFactory().createParser(context, within.bytes(), 0, within.length())) {
            inner.nextToken();
            Object value = super.deserialize(inner, context);
            if (value != null) {
                unbound.found(value);
            }
            return value;
        } finally {
            folded.leave();
        }
    }

    /** At the root, tells who asked for the reader of a class that this is it. */
    @Override
    public @Nullable Object getNullValue(DeserializationContext context) {
        if (context.getAttribute(Root.class) instanceof Root root) {
            root.reader = this;
        }
        return super.getNullValue(context);
    }

    /** Told which reader is the one of the class. */
    static final class Root {
        @Nullable TreeDeserializer reader;
    }

    /** Of the property with the name in the bytes; null if what it holds is no tree. */
    @Nullable TreeDeserializer ofProperty(byte[] bytes, int from, int to) {
        return children().ofProperty(bytes, from, to);
    }

    /** Whether what it reads begins with this bracket. */
    boolean reads(byte bracket) {
        return bracket == (children().isList ? '[' : '{');
    }

    /** Of each element of the list, or each value of the map. */
    @Nullable TreeDeserializer ofElements() {
        return children().ofElements;
    }

    private Children children() {
        Children known = children;
        if (known == null) {
            known = new Children(getDelegatee());
            children = known;
        }
        return known;
    }

    private static final class Children {

        private final byte[][] names;
        private final @Nullable TreeDeserializer[] readers;
        private final @Nullable TreeDeserializer ofElements;
        private final boolean isList;

        Children(ValueDeserializer<?> delegate) {
            ValueDeserializer<?> inner = delegate;
            while (inner instanceof DelegatingDeserializer outer) {
                inner = outer.getDelegatee();
            }
            Map<String, TreeDeserializer> properties = inner instanceof BeanDeserializer bean ? properties(bean) : Map.of();
            int places = Integer.highestOneBit(Math.max(properties.size(), 1)) * 4;
            names = new byte[places][];
            readers = new TreeDeserializer[places];
            properties.forEach((name, reader) -> enter(name.getBytes(StandardCharsets.UTF_8), reader));
            isList = !(inner instanceof BeanDeserializer) && !(inner instanceof MapDeserializer);
            ofElements = inner instanceof CollectionDeserializer list ? tree(list.getContentDeserializer())
                    : inner instanceof MapDeserializer map ? tree(map.getContentDeserializer()) : null;
        }

        private static Map<String, TreeDeserializer> properties(BeanDeserializer bean) {
            Map<String, TreeDeserializer> trees = new HashMap<>();
            for (Iterator<SettableBeanProperty> each = bean.properties(); each.hasNext();) {
                SettableBeanProperty property = each.next();
                TreeDeserializer tree = tree(property.getValueDeserializer());
                if (tree != null) {
                    trees.put(property.getName(), tree);
                }
            }
            return trees;
        }

        private static @Nullable TreeDeserializer tree(@Nullable ValueDeserializer<?> reader) {
            return reader instanceof TreeDeserializer tree ? tree : null;
        }

        private void enter(byte[] name, TreeDeserializer reader) {
            int place = place(name, 0, name.length);
            while (names[place] != null) {
                place = place + 1 & names.length - 1;
            }
            names[place] = name;
            readers[place] = reader;
        }

        @Nullable TreeDeserializer ofProperty(byte[] bytes, int from, int to) {
            for (int place = place(bytes, from, to); names[place] != null; place = place + 1 & names.length - 1) {
                byte[] name = names[place];
                if (name.length == to - from && Arrays.equals(name, 0, name.length, bytes, from, to)) {
                    return readers[place];
                }
            }
            return null;
        }

        private int place(byte[] bytes, int from, int to) {
            int hash = to - from;
            for (int i = from; i < to; i++) {
                hash = hash * 31 + bytes[i];
            }
            return (hash ^ hash >>> 7) & names.length - 1;
        }
    }

    private static final class Wrapping extends ValueDeserializerModifier {

        private static final long serialVersionUID = 1L;

        @Override
        public ValueDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription.Supplier bean, ValueDeserializer<?> deserializer) {
            return deserializer instanceof BeanDeserializer && PlainClasses.has(bean.getBeanClass()) ? new TreeDeserializer(deserializer) : deserializer;
        }

        @Override
        public ValueDeserializer<?> modifyCollectionDeserializer(
                DeserializationConfig config, CollectionType type, BeanDescription.Supplier bean, ValueDeserializer<?> deserializer) {
            return ReadOnlyCollections.gives(deserializer) && PlainClasses.has(type) ? new TreeDeserializer(deserializer) : deserializer;
        }

        @Override
        public ValueDeserializer<?> modifyMapDeserializer(
                DeserializationConfig config, MapType type, BeanDescription.Supplier bean, ValueDeserializer<?> deserializer) {
            return ReadOnlyCollections.gives(deserializer) && PlainClasses.has(type) ? new TreeDeserializer(deserializer) : deserializer;
        }
    }
}
