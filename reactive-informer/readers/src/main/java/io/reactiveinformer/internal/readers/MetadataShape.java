package io.reactiveinformer.internal.readers;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.resource.PartialObjectMetadata;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The metadata of an object, with its {@code apiVersion} and {@code kind}. */
final class MetadataShape extends TreeShape {

    private final PropertyTable properties;

    MetadataShape(Shape text, Shape metadata) {
        properties = new PropertyTable(List.of(
                new Property("apiVersion", 0, () -> text), new Property("kind", 1, () -> text),
                new Property("metadata", 2, () -> metadata)));
    }

    @Override
    char opening() {
        return '{';
    }

    @Override
    Object bind(ShapeReader in, @Nullable Object before) {
        var values = new @Nullable Object[3];
        if (in.enter('}')) {
            do {
                Property property = properties.next(in);
                if (property != null) {
                    values[property.place] = property.read(in, null);
                }
            } while (in.next('}'));
        }
        return new PartialObjectMetadata((String) values[0], (String) values[1],
                values[2] instanceof V1ObjectMeta metadata ? metadata : new V1ObjectMeta());
    }
}
