package io.reactiveinformer.json;

import io.reactiveinformer.codec.ObjectWriter;
import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.Change;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Version;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.Serializers;

import static com.fasterxml.jackson.annotation.JsonFormat.Value;

/**
 * Has Jackson write what informers tell. Objects of Kubernetes, and whatever they are made of, are written as the server would: its names, no nulls, no empty
 * collections, quantities and ports as scalars, times as in RFC 3339. All else (rows of views, records of the application's, projections) is written as the
 * mapper writes any class, so its settings count.
 *
 * <p>A {@link Change}; what is null is left out. A deletion's {@code object} is the last state known.
 *
 * <pre>
 * {"type": "ADDED",   "key": "shop/web", "resourceVersion": "7", "initial": true, "object": {…}}
 * {"type": "UPDATED", "key": "shop/web", "resourceVersion": "8", "object": {…}, "beforeResourceVersion": "7", "before": {…}}
 * {"type": "DELETED", "key": "shop/web", "resourceVersion": "8", "deletedAt": "9", "cause": "OBSERVED", "object": {…}}
 * {"type": "SYNCED",  "resourceVersion": "7", "count": 1}
 * </pre>
 *
 * <p>A {@link Snapshot}: {@code revision}, {@code complete}, {@code resourceVersion}, and {@code objects}, each with {@code key}, {@code resourceVersion} and
 * {@code object}. An {@link InformerStatus}: its components, times as in RFC 3339, durations as in ISO 8601, {@code cause} as its message. An {@link ObjectKey}:
 * {@code namespace/name}, or {@code name}.
 *
 * <p><strong>Nothing is hidden.</strong> A Secret is written with its data, as is a ConfigMap with a password in it: who sends objects to others says which parts.
 *
 * <p>Nothing is read: for that there is {@link io.reactiveinformer.client.KubernetesClient}.
 */
public final class InformerModule extends JacksonModule {

    private final ObjectWriter objects = new ObjectWriter();

    @Override
    public String getModuleName() {
        return InformerModule.class.getName();
    }

    @Override
    public Version version() {
        return Version.unknownVersion();
    }

    @Override
    public void setupModule(SetupContext context) {
        context.addSerializers(new Ours());
    }

    private final class Ours implements Serializers {

        @Override
        public @Nullable ValueSerializer<?> findSerializer(SerializationConfig config, JavaType type, BeanDescription.Supplier bean, @Nullable Value format) {
            return serializer(type.getRawClass());
        }

        private @Nullable ValueSerializer<?> serializer(Class<?> type) {
            if (Change.class.isAssignableFrom(type)) {
                return new Written<Change<?, ?>>(Change.class, Changes::write);
            } else if (Snapshot.class.isAssignableFrom(type)) {
                return new Written<Snapshot<?, ?>>(Snapshot.class, Snapshots::write);
            } else if (type == InformerStatus.class) {
                return new Written<>(InformerStatus.class, Statuses::write);
            } else if (type == ObjectKey.class) {
                return new Written<>(ObjectKey.class, (key, json) -> json.text(key.toString()));
            }
            return ObjectWriter.knows(type) ? new Written<>(Object.class, (object, json) -> json.with(objects, object)) : null;
        }
    }
}
