package dev.sluice.gateway.acme;

import dev.sluice.gateway.challenge.ChallengeAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The answers to challenges in the fleet's document: this node's own, for others to show, and those of others, which
 * this node shows. The ways of {@link #show} and {@link #withdraw} are any thread's, the rest is one thread's.
 */
final class FleetAnswers {
    static final String ENTRY = "challenge ";

    /** A node that dies withdraws nothing. Longer than the longest attempt at an order. */
    private static final Duration LIFE = Duration.ofMinutes(35);

    private static final String KIND = "kind";
    private static final String NAME = "name";
    private static final String TOKEN = "token";
    private static final String AUTHORIZATION = "authorization";

    private final String self;
    private final ChallengeBoard board;
    private final AcmeLog log;
    private final Map<String, ChallengeAnswer> own = new ConcurrentHashMap<>();
    private final Map<String, ChallengeAnswer> others = new HashMap<>();

    FleetAnswers(String self, ChallengeBoard board, AcmeLog log) {
        this.self = self;
        this.board = board;
        this.log = log;
    }

    /** Has an answer of this node in the document from its next change on. */
    void show(ChallengeAnswer answer) {
        own.put(entry(answer), answer);
    }

    void withdraw(ChallengeAnswer answer) {
        own.remove(entry(answer));
    }

    void withdrawAll() {
        own.clear();
    }

    private static String entry(ChallengeAnswer answer) {
        return ENTRY + answer.kind() + " " + answer.name() + " " + answer.token();
    }

    /** Returns the document with this node's answers, and no other entries of this node. */
    FleetDocument published(FleetDocument document, Instant time) {
        FleetDocument next = document.filtered((name, text) ->
                !name.startsWith(ENTRY) || own.containsKey(name) || (!FleetClaim.isFree(text, time) && !isOwn(text)));
        for (Map.Entry<String, ChallengeAnswer> each : own.entrySet()) {
            if (next.get(each.getKey()) == null) {
                next = next.with(each.getKey(), text(each.getValue(), time));
            }
        }
        return next;
    }

    private boolean isOwn(String text) {
        FleetClaim claim = FleetClaim.of(text);
        return claim != null && claim.isOf(self);
    }

    private String text(ChallengeAnswer answer, Instant time) {
        return new FleetClaim(self, time.plus(LIFE))
                .lines()
                .line(KIND, answer.kind().name())
                .line(NAME, answer.name())
                .line(TOKEN, answer.token())
                .line(AUTHORIZATION, answer.authorization())
                .build();
    }

    // --- those of others --------------------------------------------------------------------------------------------

    /** Shows what other nodes have in the document, and nothing else of them. */
    void follow(FleetDocument document) {
        Map<String, ChallengeAnswer> wanted = new HashMap<>();
        document.entries().forEach((name, text) -> {
            ChallengeAnswer answer = name.startsWith(ENTRY) && !isOwn(text) ? answer(text) : null;
            if (answer != null) {
                wanted.put(name, answer);
            }
        });
        others.entrySet().removeIf(shown -> {
            boolean isOver = !wanted.containsKey(shown.getKey());
            if (isOver) {
                board.withdraw(shown.getValue());
            }
            return isOver;
        });
        wanted.forEach(this::add);
    }

    private void add(String name, ChallengeAnswer answer) {
        if (others.containsKey(name)) {
            return;
        }
        try {
            board.show(answer);
            others.put(name, answer);
        } catch (RuntimeException e) {
            log.warn("ACME: a challenge for " + answer.name() + " of another node is not answered here (" + e
                    + "); its order may fail, and is repeated");
        }
    }

    private static @Nullable ChallengeAnswer answer(String text) {
        PemText lines = new PemText(text);
        try {
            ChallengeAnswer.Kind kind = ChallengeAnswer.Kind.valueOf(lines.line(KIND));
            return new ChallengeAnswer(kind, lines.line(NAME), lines.line(TOKEN), lines.line(AUTHORIZATION));
        } catch (IllegalArgumentException later) {
            return null; // of a later version
        }
    }
}
