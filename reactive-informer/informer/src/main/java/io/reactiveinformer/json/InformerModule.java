package io.reactiveinformer.json;

import io.reactiveinformer.internal.codec.ObjectWriter;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.InformerStatus;
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
 * A Jackson module that writes changes, snapshots and statuses of informers. Kubernetes objects, and the values in them, are written as the
 * server writes them: with its names, without nulls and empty collections, quantities and ports as scalars, times as in RFC 3339.
 * Everything else (rows of views, records of the application, projections) is written by the settings of the mapper.
 *
 * <p>Register it with the mapper: {@code JsonMapper.builder().addModule(new InformerModule()).build()}.
 *
 * <p>A {@link Change}: nulls are omitted. The {@code object} of a deletion is the last known state.
 *
 * <pre>
 * {"type": "ADDED",   "key": "shop/web", "resourceVersion": "7", "initial": true, "object": {…}}
 * {"type": "UPDATED", "key": "shop/web", "resourceVersion": "8", "object": {…}, "beforeResourceVersion": "7", "before": {…}}
 * {"type": "DELETED", "key": "shop/web", "resourceVersion": "8", "deletedAt": "9", "cause": "OBSERVED", "object": {…}}
 * {"type": "SYNCED",  "resourceVersion": "7", "count": 1}
 * </pre>
 *
 * <p>A {@link Snapshot}: {@code revision}, {@code complete}, {@code resourceVersion}, and {@code objects}, each with {@code key},
 * {@code resourceVersion} and {@code object}. An {@link InformerStatus}: its components, times as in RFC 3339, durations as in ISO 8601,
 * {@code cause} as its message. An {@link ObjectKey}: {@code namespace/name}, or {@code name}.
 *
 * <p><strong>Nothing is hidden.</strong> A Secret is written with its data, and a ConfigMap with a password in it as well. An application
 * that sends objects to others must select the parts that they may see.
 *
 * <p>The module does not read JSON: to read objects use {@link io.reactiveinformer.client.KubernetesClient}.
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
        public @Nullable ValueSerializer<?> findSerializer(SerializationConfig config, JavaType type,
                BeanDescription.Supplier bean, @Nullable Value format) {
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
