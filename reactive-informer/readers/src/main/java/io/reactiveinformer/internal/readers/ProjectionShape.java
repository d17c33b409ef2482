package io.reactiveinformer.internal.readers;

import io.reactiveinformer.internal.codec.FieldPaths;
import io.reactiveinformer.internal.codec.ProjectionDeserializer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A record whose components are anywhere in the object; all else is skipped, and not validated. */
final class ProjectionShape extends TreeShape {

    /** @param component the shape of the component at this path; null if components are deeper */
    @SuppressWarnings("ArrayRecordComponent") // never compared, nor written to
    private record Path(byte[] name, int hash, int index, @Nullable Shape component, List<Path> within) {

        static List<Path> within(FieldPaths paths, IntFunction<Shape> components) {
            return paths.children().entrySet().stream().map(entry -> {
                byte[] name = entry.getKey().getBytes(StandardCharsets.UTF_8);
                FieldPaths child = entry.getValue();
                int index = child.component();
                return new Path(name, ShapeReader.hash(name), index, index < 0 ? null : components.apply(index), within(child, components));
            }).toList();
        }
    }

    private final ProjectionDeserializer jackson;
    private final List<Path> paths;

    ProjectionShape(ProjectionDeserializer jackson, IntFunction<Shape> components) {
        this.jackson = jackson;
        this.paths = Path.within(jackson.paths(), components);
    }

    @Override
    char opening() {
        return '{';
    }

    @Override
    Object bind(ShapeReader in, @Nullable Object before) {
        var values = new @Nullable Object[jackson.components()];
        read(paths, values, in);
        return jackson.create(values, in.context());
    }

    private static void read(List<Path> paths, @Nullable Object[] values, ShapeReader in) {
        if (!in.enter('}')) {
            return;
        }
        do {
            in.name();
            Path path = find(paths, in);
            if (path == null) {
                in.passBy();
            } else if (path.component == null && in.isAt('{')) {
                read(path.within, values, in);
            } else if (path.component == null) {
                in.ignore(); // it should have been an object; it is skipped if it is well-formed
            } else if (!in.readWord(ShapeReader.NULL)) {
                values[path.index] = path.component.read(in, null);
            }
        } while (in.next('}'));
    }

    private static @Nullable Path find(List<Path> paths, ShapeReader in) {
        for (int i = 0; i < paths.size(); i++) {
            Path path = paths.get(i);
            if (path.hash == in.nameHash() && in.nameIs(path.name)) {
                return path;
            }
        }
        return null;
    }
}
