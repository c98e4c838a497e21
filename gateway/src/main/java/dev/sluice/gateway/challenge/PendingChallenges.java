package dev.sluice.gateway.challenge;

import dev.sluice.tls.context.ClientHelloNames;
import dev.sluice.tls.context.SharedContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The challenges that one loop's connections answer at the moment: mostly none. Owns the contexts of handshakes.
 * Confined to the loop's thread.
 */
public final class PendingChallenges {
    private static final List<String> PROTOCOLS = List.of(ChallengeAnswer.PROTOCOL);
    private static final String PATH = "/.well-known/acme-challenge/";

    private final Map<String, SharedContext> contexts = new HashMap<>();
    private final Map<String, String> authorizations = new HashMap<>();

    /** Creates an object without challenges. */
    public PendingChallenges() {}

    /**
     * Answers a challenge from now on, in place of an earlier one for the same name or token.
     *
     * @param context answers handshakes, this object's from now on; null for a challenge by request
     */
    public void add(ChallengeAnswer answer, @Nullable SharedContext context) {
        if (context == null) {
            authorizations.put(answer.token(), answer.authorization());
        } else {
            close(contexts.put(answer.name(), context));
        }
    }

    /** Answers a challenge no longer. Idempotent. */
    public void remove(ChallengeAnswer answer) {
        switch (answer.kind()) {
            case REQUEST -> authorizations.remove(answer.token());
            case HANDSHAKE -> close(contexts.remove(answer.name()));
        }
    }

    /** Returns true when the names of each ClientHello must be looked at. */
    public boolean expectsHandshakes() {
        return !contexts.isEmpty();
    }

    /** Returns true for a client that asks for the answer to a pending challenge, and offers nothing else. */
    public boolean isAskedBy(ClientHelloNames hello) {
        return hello.alpn().equals(PROTOCOLS) && contexts.containsKey(hello.serverName());
    }

    /** Returns the context that answers for a name; null when the challenge is over. */
    public @Nullable SharedContext context(String name) {
        return contexts.get(name);
    }

    /** Returns the answer to a request for a path; null when it asks for none that is pending. */
    public @Nullable String answer(String path) {
        return authorizations.isEmpty() || !path.startsWith(PATH)
                ? null
                : authorizations.get(path.substring(PATH.length()));
    }

    /** Frees the contexts, after the end of the loop. */
    public void close() {
        contexts.values().forEach(SharedContext::close);
        contexts.clear();
    }

    private static void close(@Nullable SharedContext context) {
        if (context != null) {
            context.close();
        }
    }
}
