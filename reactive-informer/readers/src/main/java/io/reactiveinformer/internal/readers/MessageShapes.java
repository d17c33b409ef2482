package io.reactiveinformer.internal.readers;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.internal.codec.FieldPaths;
import io.reactiveinformer.internal.codec.PlainClasses;
import io.reactiveinformer.internal.codec.ProjectionDeserializer;
import io.reactiveinformer.internal.codec.SerializedNames;
import io.reactiveinformer.internal.codec.Wire;
import io.reactiveinformer.internal.protobuf.Messages;
import io.reactiveinformer.internal.protobuf.Messages.Field;
import io.reactiveinformer.internal.readers.MessageReader.MessageRoot;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Form;
import java.lang.invoke.VarHandle;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The shapes of messages: which field of a message is which property of a model class. Made from the table of messages and the fields of
 * the classes, each on first use, as by {@link Shapes}.
 */
final class MessageShapes {

    private static final String METADATA = "meta.k8s.io/v1.ObjectMeta";
    private static final String MANAGED_FIELDS = "managedFields";

    /** A message in which itself is nested, and which has forms of its own in JSON. */
    private static final String SCHEMA = "apiextensions.k8s.io/v1.JSONSchemaProps";

    /** Fields that contain JSON. */
    private static final Set<String> FREE = Set.of("FieldsV1", "RawExtension");

    private record Key(String message, Class<?> type, boolean isRoot) {}

    private final boolean managedFields;
    private final Supplier<JsonMapper> mapper;
    private final MessageTree.OfJson json;
    private final Map<ResourceType<?>, Optional<MessageRoot>> roots = new ConcurrentHashMap<>();
    private final Map<Key, MessageShape> known = new ConcurrentHashMap<>();

    /**
     * @param free the shape of objects of free-form JSON
     * @param managedFields whether those of whole objects are read
     */
    MessageShapes(Supplier<JsonMapper> mapper, MapShape free, boolean managedFields) {
        this.json = new MessageTree.OfJson(free);
        this.mapper = mapper;
        this.managedFields = managedFields;
    }

    /** The shape of the objects of a type; null if they are read from JSON only. */
    @Nullable MessageRoot root(ResourceType<?> type) {
        return roots.computeIfAbsent(type, untried -> Optional.ofNullable(make(type))).orElse(null);
    }

    private @Nullable MessageRoot make(ResourceType<?> type) {
        if (type.form() == Form.METADATA) {
            return new MessageProjection.OfMetadata(shape(METADATA, V1ObjectMeta.class, true));
        }
        String message = type.apiVersion() + "." + type.kind();
        Class<?> target = type.objectClass();
        if (type.form() == Form.DYNAMIC || type.kind() == null || Messages.builtIn().find(message).isEmpty()) {
            return null;
        }
        try {
            return FieldPaths.areOn(target) ? projection(message, target)
                    : PlainClasses.isOfTheModels(target) && !contains(message, SCHEMA, new HashSet<>())
                    ? shape(message, target, true) : null;
        } catch (UnsupportedOperationException jsonOnly) {
            return null;
        }
    }

    private MessageRoot projection(String message, Class<?> type) {
        if (!(mapper.get()._deserializationContext().findRootValueDeserializer(mapper.get().constructType(type))
                instanceof ProjectionDeserializer jackson)) {
            throw unsupported(message, type);
        }
        FieldPaths paths = jackson.paths();
        Type[] components = IntStream.range(0, jackson.components()).mapToObj(jackson::genericType).toArray(Type[]::new);
        return new MessageProjection.OfComponents(jackson, steps(message, paths, components, Set.of("apiVersion", "kind")),
                component(paths, "apiVersion", components), component(paths, "kind", components));
    }

    /** The component that is the string at the top of the object; -1 if none is. */
    private static int component(FieldPaths paths, String name, Type[] components) {
        FieldPaths path = paths.children().get(name);
        if (path != null && (path.component() < 0 || components[path.component()] != String.class)) {
            throw unsupported("string", String.class);
        }
        return path == null ? -1 : path.component();
    }

    /** @param others names that may be among the paths, though they are no fields */
    private MessageProjection.@Nullable Step[] steps(String message, FieldPaths paths, Type[] components, Set<String> others) {
        Set<String> known = Messages.builtIn().inJson(message).keySet();
        for (String name : paths.children().keySet()) {
            if (!known.contains(name) && !others.contains(name)) {
                throw unsupported(message + " " + name, Object.class); // a server may have it in JSON
            }
        }
        return stepsOf(message, paths, components, !others.isEmpty());
    }

    private MessageProjection.@Nullable Step[] stepsOf(String message, FieldPaths paths, Type[] components, boolean isRoot) {
        Collection<Field> fields = Messages.builtIn().get(message).values();
        var steps = new MessageProjection.@Nullable Step[largest(fields) + 1];
        for (Field field : fields) {
            FieldPaths path = paths.children().get(field.name());
            if (field.inline()) {
                steps[field.number()] = new MessageProjection.Step(-1, null, stepsOf(field.type(), paths, components, false), List.of());
            } else if (path != null) {
                steps[field.number()] = step(field, path, components, isRoot && field.name().equals("metadata"));
            }
        }
        return steps;
    }

    private MessageProjection.@Nullable Step step(Field field, FieldPaths path, Type[] components, boolean isMetadata) {
        if (path.component() >= 0) {
            MessageField read = field(0, field, components[path.component()], false, isMetadata);
            return new MessageProjection.Step(path.component(), read, new MessageProjection.@Nullable Step[0], List.of());
        }
        if (FREE.contains(field.type()) || contains(field.type(), SCHEMA, new HashSet<>())) {
            throw unsupported(field.type(), Object.class);
        }
        boolean isMessage = Messages.builtIn().find(field.type()).isPresent();
        return switch (field.count()) {
            case LIST -> null; // no path leads into it
            case ONE -> isMessage ? within(field, path, components, isMetadata) : null;
            case MAP -> new MessageProjection.Step(-1, null, new MessageProjection.@Nullable Step[0], path.children().entrySet().stream()
                    .filter(entry -> entry.getValue().component() >= 0 || isMessage)
                    .map(entry -> entry(field, entry.getKey(), entry.getValue(), components))
                    .toList());
        };
    }

    private MessageProjection.Step within(Field field, FieldPaths path, Type[] components, boolean isMetadata) {
        var children = path;
        if (isMetadata && !managedFields) {
            children = new FieldPaths(new HashMap<>(path.children()), -1);
            children.children().remove(MANAGED_FIELDS);
        }
        return new MessageProjection.Step(-1, null, steps(field.type(), children, components, Set.of()), List.of());
    }

    private MessageProjection.Entry entry(Field map, String key, FieldPaths path, Type[] components) {
        int component = path.component();
        MessageValue value = component >= 0 ? value(map.type(), components[component], false)
                : value(map.type(), null, (in, before) -> null);
        return new MessageProjection.Entry(key.getBytes(StandardCharsets.UTF_8), component, value,
                component >= 0 ? null : within(map, path, components, false));
    }

    private static int largest(Collection<Field> fields) {
        return fields.stream().mapToInt(Field::number).max().orElse(0);
    }

    private static boolean contains(String message, String part, Set<String> seen) {
        return message.equals(part) || seen.add(message) && Messages.builtIn().find(message).stream()
                .flatMap(fields -> fields.values().stream()).anyMatch(field -> contains(field.type(), part, seen));
    }

    private MessageShape shape(String message, Class<?> type, boolean isRoot) {
        var key = new Key(message, type, isRoot);
        MessageShape shape = known.get(key);
        if (shape != null) {
            return shape;
        }
        MessageShape made = make(key);
        MessageShape first = known.putIfAbsent(key, made);
        return first == null ? made : first;
    }

    private MessageShape make(Key key) {
        Map<java.lang.reflect.Field, VarHandle> fields = SerializedNames.fields(key.type);
        if (fields.isEmpty() && !Messages.builtIn().get(key.message).isEmpty()) {
            throw unsupported(key.message, key.type); // its module denies access, or the program is an image without its fields
        }
        Map<String, Integer> places = new HashMap<>();
        Map<String, Type> types = new HashMap<>();
        for (java.lang.reflect.Field field : fields.keySet()) {
            types.put(SerializedNames.of(field), field.getGenericType());
            places.put(SerializedNames.of(field), places.size());
        }
        if (places.size() > Long.SIZE) { // a bit for each
            throw unsupported(key.message, key.type);
        }
        Set<String> inTable = Messages.builtIn().inJson(key.message).keySet();
        for (String name : places.keySet()) {
            if (!inTable.contains(name) && !name.equals("kind") && !name.equals("apiVersion")) {
                throw unsupported(key.message + " " + name, key.type); // the class is of a newer version, whose servers may send it
            }
        }
        MessageField[] table = table(key, key.message, places, types);
        boolean hasOwnKind = !places.containsKey("kind") || Messages.builtIn().inJson(key.message).containsKey("kind");
        int placeOfApiVersion = hasOwnKind ? -1 : Objects.requireNonNull(places.get("apiVersion"));
        int placeOfKind = hasOwnKind ? -1 : Objects.requireNonNull(places.get("kind"));
        int dot = key.message.lastIndexOf('.');
        return new MessageShape(new ModelFields(key.type, fields.values()), table, placeOfApiVersion, placeOfKind,
                key.message.substring(0, dot), key.message.substring(dot + 1));
    }

    private @Nullable MessageField[] table(Key key, String message, Map<String, Integer> places, Map<String, Type> types) {
        Collection<Field> fields = Messages.builtIn().get(message).values();
        var table = new @Nullable MessageField[largest(fields) + 1];
        for (Field field : fields) {
            if (field.inline()) {
                table[field.number()] = MessageField.inline(table(key, field.type(), places, types));
                continue;
            }
            Integer place = places.get(field.name());
            boolean isLeftOut = key.type == V1ObjectMeta.class && key.isRoot && !managedFields && field.name().equals(MANAGED_FIELDS);
            if (isLeftOut) {
                table[field.number()] = MessageField.leftOut();
            } else if (place != null) {
                Type type = Objects.requireNonNull(types.get(field.name()));
                boolean isIdentity = key.type == V1ObjectMeta.class && SerializedNames.isIdentity(field.name());
                table[field.number()] = field(place, field, type, isIdentity, key.isRoot && field.name().equals("metadata"));
            }
        }
        return table;
    }

    private MessageField field(int place, Field field, Type type, boolean isIdentity, boolean isMetadata) {
        return switch (field.count()) {
            case ONE -> new MessageField(place, isIdentity ? value(field.type(), null, MessageReader::identityText)
                    : value(field.type(), type, isMetadata), omitsEmpty(field), null);
            case LIST -> {
                MessageValue element = value(field.type(), argument(type, List.class, 0), false);
                yield run(place, field, element.kind(), new MessageTree.OfList(element));
            }
            case MAP -> run(place, field, Wire.LENGTH, new MessageTree.OfMap(value(field.type(), argument(type, Map.class, 1), false)));
        };
    }

    /** Many values, which follow one another, each of this wire type. */
    private static MessageField run(int place, Field field, int kind, MessageTree run) {
        int tag = Wire.tag(field.number(), kind);
        return new MessageField(place, new MessageValue(kind, null, (in, before) -> in.tree(run, in.endOfRun(tag), before)), false, null);
    }

    private static Type argument(Type type, Class<?> collection, int index) {
        if (type instanceof ParameterizedType generic && generic.getRawType() == collection) {
            return generic.getActualTypeArguments()[index];
        }
        throw unsupported(collection.getName(), type);
    }

    /** Values of these are omitted in JSON when they are empty; Go omits no struct, which those of a form of their own are. */
    private static boolean omitsEmpty(Field field) {
        return field.omitEmpty() && !field.pointer() && field.count() == Messages.Count.ONE
                && Set.of("string", "bytes", "bool", "int32", "int64").contains(field.type());
    }

    private static int wireType(String type) {
        return switch (type) {
            case "bool", "int32", "int64" -> Wire.VARINT;
            default -> Wire.LENGTH;
        };
    }

    private static MessageValue value(String type, @Nullable Object absent, MessageValue.Read reader) {
        return new MessageValue(wireType(type), absent, reader);
    }

    private MessageValue value(String type, Type target, boolean isRoot) {
        return switch (type) {
            case "string" -> expect(type, target, String.class, "", MessageReader::sharedText);
            case "bytes" -> expect(type, target, byte[].class, null, (in, before) -> in.byteArray());
            case "bool" -> expect(type, target == boolean.class ? Boolean.class : target, Boolean.class, false,
                    (in, before) -> in.varint() != 0);
            case "int32", "int64" -> target == Integer.class || target == int.class
                    ? value(type, 0, (in, before) -> ScalarShapes.heldIfEqual(before, in.int32()))
                    : expect(type, target == long.class ? Long.class : target, Long.class, 0L,
                            (in, before) -> ScalarShapes.heldIfEqual(before, in.varint()));
            case "Time", "MicroTime" -> {
                boolean micros = type.equals("MicroTime");
                yield expect(type, target, OffsetDateTime.class, null, (in, before) -> ScalarShapes.heldIfEqual(before, in.time(micros)));
            }
            case "Quantity" -> expect(type, target, Quantity.class, null, (in, before) -> {
                Quantity quantity = in.quantity();
                return quantity == null ? null : ScalarShapes.heldIfSame(before, quantity);
            });
            case "IntOrString" -> expect(type, target, IntOrString.class, null,
                    (in, before) -> ScalarShapes.heldIfEqual(before, in.intOrString()));
            case "FieldsV1", "RawExtension" -> expect(type, target, Object.class, null, (in, before) -> in.json(json, before));
            case "ExtraValue" -> {
                Type unused = argument(target, List.class, 0);
                yield value(type, null, (in, before) -> in.texts());
            }
            default -> {
                if (!(target instanceof Class<?> model) || !PlainClasses.isOfTheModels(model) || Messages.builtIn().find(type).isEmpty()) {
                    throw unsupported(type, target);
                }
                MessageShape shape = shape(type, model, isRoot);
                yield value(type, null, (in, before) -> in.tree(shape, in.endOfMessage(), before));
            }
        };
    }

    private static MessageValue expect(String type, Type target, Class<?> expected, @Nullable Object absent, MessageValue.Read reader) {
        if (target != expected) {
            throw unsupported(type, target);
        }
        return value(type, absent, reader);
    }

    private static UnsupportedOperationException unsupported(String type, Type target) {
        return new UnsupportedOperationException("a " + type + " in protocol buffers is not read as " + target.getTypeName());
    }
}
