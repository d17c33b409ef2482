package io.reactiveinformer.internal.codec;

import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads identity and version of an object from the top-level {@code metadata} of its bytes, without decoding it. Stops as soon as all is
 * known. One for each body, reused for each of its objects.
 */
public class Skim {

    /*
     * Whether an object is wanted, whether it is cached in this very state, and along which cached state it is read: all this must be known
     * before it is decoded, and is in a few properties, which a server writes first:
     *
     *     {"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-1","namespace":"shop","uid":"…","resourceVersion":"7",…},"spec":{…
     *      hasKind      hasApiVersion                 └────────────────────── the four strings ───────────────────────┘ │
     *                                                                                                     it stops here ┘
     *
     * So an unwanted or unchanged object costs some hundred bytes of reading and the four strings. An object that is decoded takes these
     * strings over instead of making its own (IdentityString, and identity() for shapes). If its metadata has no namespace, or is written
     * in another order, the skim reads on to the end of the metadata, but no further.
     *
     * managedFields are cut out of the bytes before the object is decoded, since decoding them only to drop them would cost most. The bytes
     * before them move up to the bytes after them, and the object begins later; the longer rest stays in its place:
     *
     *     {"metadata":{"name":"web-1","managedFields":[ … ],"uid":"…"},"spec":{ … }}
     *                           {"metadata":{"name":"web-1","uid":"…"},"spec":{ … }}
     */

    private static final byte[] METADATA = ascii("metadata");
    private static final byte[] KIND = ascii("kind");
    private static final byte[] API_VERSION = ascii("apiVersion");
    private static final byte[][] IDENTITY = {ascii("name"), ascii("namespace"), ascii("uid"), ascii("resourceVersion")};
    private static final byte[] MANAGED_FIELDS = ascii("managedFields");
    private static final byte[] ANNOTATIONS = ascii("annotations");
    static final String INITIAL_EVENTS_END_NAME = "k8s.io/initial-events-end";
    private static final byte[] INITIAL_EVENTS_END = ascii(INITIAL_EVENTS_END_NAME);

    private final JsonCursor cursor = new JsonCursor();
    final SharedStrings strings;
    private boolean inMetadata;

    @Nullable String name;
    @Nullable String namespace;
    @Nullable String uid;
    @Nullable String resourceVersion;

    /** Whether the object has taken any of these strings: then it keeps them anyway. */
    boolean isInObject;

    /** Whether the object had a field that its class, or one within, does not have. Set by readers, for {@link Binding}. */
    public boolean hasMetUnknown;

    /** Whether these came before the metadata, where a server writes them. */
    boolean hasKind;
    boolean hasApiVersion;

    /** Only {@link #bookmark} looks for it. */
    boolean initialEventsEnd;

    /** Whether the metadata stopped being JSON before all was known: then the identity is not reliable. */
    boolean brokenOff;

    private int managedFieldsFrom;
    private int managedFieldsTo;

    public Skim(SharedStrings strings) {
        this.strings = strings;
    }

    /** Reads the object's identity and version. */
    public void object(byte[] bytes, int from, int to) {
        read(bytes, from, to, false);
    }

    /** Reads the position in a bookmark. */
    void bookmark(byte[] bytes, int from, int to) {
        read(bytes, from, to, true);
    }

    private void read(byte[] bytes, int from, int to, boolean bookmark) {
        clear();
        cursor.over(bytes, from, to);
        findMetadata();
        while (inMetadata && (bookmark || !isComplete())) {
            nextInMetadata(bookmark);
        }
    }

    /**
     * Removes {@code metadata.managedFields} from the object last read, by moving the bytes before them.
     *
     * @return where the object begins now
     */
    int cutManagedFields(byte[] bytes, int from) {
        while (inMetadata && managedFieldsTo == 0) {
            nextInMetadata(false);
        }
        if (managedFieldsTo == 0) {
            return from;
        }
        int moved = from + managedFieldsTo - managedFieldsFrom;
        System.arraycopy(bytes, from, bytes, moved, managedFieldsFrom - from);
        return moved;
    }

    /** The key; null if the bytes name no object, or the name was garbled in transfer. */
    @Nullable ObjectKey key() {
        return name == null || name.isEmpty() || isGarbled(name) || namespace != null && isGarbled(namespace)
                ? null : ObjectKey.of(namespace, name);
    }

    /** Whether {@code name} has a character that no name has: a control character, or the one that replaces bytes that are not UTF-8. */
    private static boolean isGarbled(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '\uFFFD' || Character.isISOControl(c)) {
                return true;
            }
        }
        return false;
    }

    /** Whether {@code held} is the same state of the same object. */
    boolean isStateOf(Versioned<?> held) {
        return resourceVersion != null && resourceVersion.equals(held.resourceVersion()) && Objects.equals(uid, held.uid());
    }

    /** The string that the skim has made from the same ASCII; null if none of its strings is equal. The object keeps it then. */
    public @Nullable String identity(byte[] bytes, int from, int to) {
        isInObject = true;
        return isSame(uid, bytes, from, to) ? uid : isSame(name, bytes, from, to) ? name : isSame(namespace, bytes, from, to) ? namespace
                : isSame(resourceVersion, bytes, from, to) ? resourceVersion : null;
    }

    /** The state last read, with {@code object}, which was made from it. */
    <T> Versioned<T> stateOf(T object) {
        return isInObject ? new Versioned<>(uid, resourceVersion, object) : Versioned.packed(uid, resourceVersion, object);
    }

    private static boolean isSame(@Nullable String known, byte[] bytes, int from, int to) {
        return known != null && SharedStrings.equal(known, bytes, from, to - from);
    }

    private boolean isComplete() {
        return resourceVersion != null && uid != null && name != null && namespace != null;
    }

    final void clear() {
        inMetadata = false;
        name = null;
        namespace = null;
        uid = null;
        resourceVersion = null;
        isInObject = false;
        hasKind = false;
        hasApiVersion = false;
        initialEventsEnd = false;
        brokenOff = false;
        managedFieldsFrom = 0;
        managedFieldsTo = 0;
    }

    private void findMetadata() {
        if (!cursor.enter()) {
            return;
        }
        while (cursor.nextName()) {
            if (cursor.nameIs(METADATA)) {
                inMetadata = cursor.enter();
                return;
            }
            hasKind |= cursor.nameIs(KIND);
            hasApiVersion |= cursor.nameIs(API_VERSION);
            cursor.skip();
        }
    }

    private void nextInMetadata(boolean bookmark) {
        if (!cursor.nextName()) {
            inMetadata = false;
            brokenOff = !cursor.atEnd();
            return;
        }
        int place = cursor.nameAmong(IDENTITY);
        if (place >= 0) {
            keep(place, cursor.string());
        } else if (bookmark && cursor.nameIs(ANNOTATIONS) && cursor.enter()) {
            annotations();
        } else if (cursor.nameIs(MANAGED_FIELDS)) {
            managedFields();
        } else {
            cursor.skip();
        }
    }

    /** @param place in {@link #IDENTITY} */
    private void keep(int place, @Nullable String text) {
        switch (place) {
            case 0 -> name = text;
            case 1 -> namespace = text == null ? null : strings.share(text);
            case 2 -> uid = text;
            default -> resourceVersion = text == null || text.length() > ResourceVersion.LONGEST ? null : text;
        }
    }

    private void managedFields() {
        managedFieldsFrom = cursor.propertyFrom();
        cursor.skip();
        managedFieldsTo = cursor.propertyTo();
    }

    private void annotations() {
        while (cursor.nextName()) {
            boolean isEnd = cursor.nameIs(INITIAL_EVENTS_END);
            String value = cursor.string();
            initialEventsEnd |= isEnd && "true".equals(value);
        }
        cursor.leave();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
