package io.reactiveinformer.internal;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Checks that the pages of one list come to an end. For one list; not thread-safe. */
public final class PageGuard {

    /** Most pages in a row that bring nothing new. Of half a million objects in pages of 500, a server may filter out a tenth in a row. */
    private static final int MOST_IDLE_PAGES = 100;

    /** Most characters of a continue token. A server's token has a few hundred, and no proxy forwards a longer address. */
    private static final int LONGEST_TOKEN = 16 << 10;

    /** Digests of all tokens so far: a repeated token would repeat forever. */
    private final Set<UUID> tokens = new HashSet<>();
    /** The first object of each page: a server that ignores tokens, and invents a new one each time, sends the same page forever. */
    private final Set<Object> beginnings = new HashSet<>();
    /** How many pages in a row were empty, or began as an earlier one did. */
    private int idlePages;
    private boolean begins = true;

    /** To be called for each object of the current page. */
    public void object(Object key) {
        if (begins) {
            begins = false;
            idlePages = beginnings.add(key) ? 0 : idlePages + 1;
        }
    }

    /**
     * To be called at the end of each page.
     *
     * @param next the token of the next page; null for none
     * @return why that must not be requested: the list would never end, or the token is too long; null if it may be
     */
    public @Nullable String turn(@Nullable String next) {
        idlePages = begins ? idlePages + 1 : idlePages;
        begins = true;
        if (next == null) {
            return null;
        }
        if (next.length() > LONGEST_TOKEN) {
            return "a continue token has " + next.length() + " characters; expected " + LONGEST_TOKEN + " at most";
        }
        if (!tokens.add(UUID.nameUUIDFromBytes(next.getBytes(StandardCharsets.UTF_8)))) {
            return "a continue token came twice, so the server does not read it";
        }
        return idlePages >= MOST_IDLE_PAGES ? idlePages + " pages in a row brought nothing new, and there is to be another" : null;
    }
}
