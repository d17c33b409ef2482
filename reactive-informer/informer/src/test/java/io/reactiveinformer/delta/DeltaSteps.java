package io.reactiveinformer.delta;

import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;

/**
 * What a reflector may emit, and what a stage makes of it as a text: {@code +a@1}, {@code -a@2 OBSERVED}, {@code ?a@3}, {@code to 4},
 * {@code at 5: +b@5}; and {@code +a@9 to 6} where all is complete up to another version than that of the object.
 */
final class DeltaSteps {

    private static final Namespaces ALL = Namespaces.all();

    private DeltaSteps() {}

    static String text(Delta<String> delta) {
        if (delta instanceof Delta.Upserted<String> upserted) {
            String version = upserted.entry().resourceVersion();
            return "+" + upserted.key() + "@" + version + completeTo(delta, version);
        } else if (delta instanceof Delta.Deleted<String> deleted) {
            String version = deleted.last().resourceVersion();
            return "-" + deleted.key() + "@" + version + " " + deleted.cause() + completeTo(delta, version);
        } else if (delta instanceof Delta.Unreadable<String> unreadable) {
            String version = unreadable.resourceVersion();
            return "?" + unreadable.key() + "@" + version + (unreadable.deleted() ? " gone" : "") + completeTo(delta, version);
        } else if (delta instanceof Delta.Progressed<String> progressed) {
            return "to " + progressed.resourceVersion();
        }
        var replaced = (Delta.Replaced<String>) delta;
        var text = new StringBuilder(replaced.newEpoch() ? "epoch at " : "at ").append(replaced.resourceVersion()).append(':');
        replaced.differences().forEach(difference -> text.append(' ').append(text(difference)));
        return text.toString();
    }

    private static String completeTo(Delta<String> delta, String version) {
        return delta.completeTo() == null || delta.completeTo().equals(version) ? "" : " to " + delta.completeTo();
    }

    static ReflectorEvent<String> started() {
        return new ReflectorEvent.ListingStarted<>(ALL, "test");
    }

    static ReflectorEvent<String> listed(String name, int version) {
        return listed(ALL, name, version);
    }

    static ReflectorEvent<String> listed(Namespaces part, String name, int version) {
        return new ReflectorEvent.Received<>(part, new ObjectEvent.Applied<>(key(name), entry(name, version)));
    }

    static ReflectorEvent<String> ended(int version) {
        return new ReflectorEvent.ListingEnded<>(ALL, String.valueOf(version), false);
    }

    static ReflectorEvent<String> upserted(String name, int version) {
        return new ReflectorEvent.Received<>(ALL, new ObjectEvent.Applied<>(key(name), entry(name, version)));
    }

    static ReflectorEvent<String> deleted(String name, int version) {
        return new ReflectorEvent.Received<>(ALL, new ObjectEvent.Deleted<>(key(name), entry(name, version)));
    }

    static ReflectorEvent<String> unreadable(String name, int version, boolean deleted) {
        return new ReflectorEvent.Received<>(ALL, new ObjectEvent.Unreadable<>(key(name), "uid-" + name, String.valueOf(version), deleted,
                new UnreadableObjectException(name, null)));
    }

    static ReflectorEvent<String> bookmark(int version) {
        return new ReflectorEvent.Received<>(ALL, new ObjectEvent.Bookmark<>(String.valueOf(version), false));
    }

    static Versioned<String> entry(String name, int version) {
        return new Versioned<>("uid-" + name, String.valueOf(version), name);
    }

    static ObjectKey key(String name) {
        return ObjectKey.parse(name);
    }

    static KubernetesException broken() {
        return new TransportException("planned", null);
    }
}
