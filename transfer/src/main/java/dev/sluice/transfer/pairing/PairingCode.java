package dev.sluice.transfer.pairing;

import java.security.SecureRandom;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A short code that one person reads to another, such as {@code 7-KX4Q-9M2P}: a slot, where the two machines meet, and
 * a secret of 35 random bits with a check character.
 *
 * <p>A code permits one guess and is void after it, so 35 bits give a guesser one chance in 34 thousand million;
 * nothing is gained by recording the conversation, since a PAKE discloses no bit of the code. The 32 characters
 * (Crockford's: no I, L, O, U) are the same on every keyboard, and unlike words they need no common language. Since a
 * mistyped code would be a spent one, the check character detects every single wrong character, and every swap of
 * neighbours, before anything is sent. It covers the slot, too.
 *
 * <p>Thread-safe.
 */
public final class PairingCode {
    /** The largest slot. */
    public static final int MAX_SLOT = (1 << 20) - 1;

    private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final int SYMBOL_BITS = 5;
    private static final int SYMBOL_MASK = (1 << SYMBOL_BITS) - 1;
    private static final int SECRET_SYMBOLS = 7;
    private static final int SLOT_SYMBOLS = 4;
    private static final int GROUP = 4;

    /** The field of 32 elements is that of polynomials modulo x^5 + x^2 + 1. */
    private static final int FIELD_POLYNOMIAL = 0b100101;

    private enum State {
        FRESH,
        /** The guess is used, and its pairing goes on. */
        IN_USE,
        /** The peer of the guess has the code. */
        PROVEN,
        /** The pairing of the guess ended without a proof. */
        LOST
    }

    private final int slot;
    private final String secret;
    private final AtomicReference<State> state = new AtomicReference<>(State.FRESH);

    private PairingCode(int slot, String secret) {
        this.slot = slot;
        this.secret = secret;
    }

    /**
     * Creates a code with a random secret.
     *
     * @param slot 0 to {@link #MAX_SLOT}
     */
    public static PairingCode random(int slot) {
        if (slot < 0 || slot > MAX_SLOT) {
            throw new IllegalArgumentException("slot=" + slot + "; use 0 to " + MAX_SLOT);
        }
        SecureRandom random = new SecureRandom();
        StringBuilder secret = new StringBuilder();
        for (int i = 0; i < SECRET_SYMBOLS; i++) {
            secret.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return new PairingCode(slot, secret.append(check(slot, secret)).toString());
    }

    /**
     * Reads a code as a person types it: in any case, with or without separators between the groups, O for 0, I or L
     * for 1.
     *
     * @throws IllegalArgumentException when it is mistyped
     */
    public static PairingCode parse(String text) {
        String typed = text.strip().toUpperCase(Locale.ROOT);
        int end = typed.indexOf('-');
        int slot = end < 1 ? -1 : slot(typed.substring(0, end));
        String secret = typed.substring(end + 1)
                .replaceAll("[-\\s]", "")
                .replace('O', '0')
                .replaceAll("[IL]", "1");
        boolean known = secret.length() == SECRET_SYMBOLS + 1 && secret.chars().allMatch(c -> ALPHABET.indexOf(c) >= 0);
        if (slot < 0 || !known || check(slot, secret) != secret.charAt(SECRET_SYMBOLS)) {
            throw new IllegalArgumentException(
                    "mistyped code: \"" + text + "\"; compare it with the one shown, such as 7-KX4Q-9M2P");
        }
        return new PairingCode(slot, secret);
    }

    private static int slot(String digits) {
        try {
            int slot = Integer.parseInt(digits);
            return slot <= MAX_SLOT ? slot : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** Computes the sum of the symbols, each times another power of x: a Reed-Solomon code with one check symbol. */
    private static char check(int slot, CharSequence secret) {
        int sum = 0;
        int weight = 1;
        for (int i = 0; i < SLOT_SYMBOLS; i++) {
            weight = timesX(weight);
            sum ^= product(weight, (slot >> (i * SYMBOL_BITS)) & SYMBOL_MASK);
        }
        for (int i = 0; i < SECRET_SYMBOLS; i++) {
            weight = timesX(weight);
            sum ^= product(weight, ALPHABET.indexOf(secret.charAt(i)));
        }
        return ALPHABET.charAt(sum);
    }

    private static int product(int a, int b) {
        int result = 0;
        int shifted = a;
        for (int rest = b; rest != 0; rest >>= 1) {
            result ^= (rest & 1) == 0 ? 0 : shifted;
            shifted = timesX(shifted);
        }
        return result;
    }

    private static int timesX(int a) {
        int shifted = a << 1;
        return shifted > SYMBOL_MASK ? shifted ^ FIELD_POLYNOMIAL : shifted;
    }

    /** Returns the number of the place where the two machines meet; not secret. */
    public int slot() {
        return slot;
    }

    /** Returns the secret symbols. */
    String secret() {
        return secret;
    }

    /** Returns whether the guess was used. */
    public boolean isSpent() {
        return state.get() != State.FRESH;
    }

    /** Returns whether the guess was used, and its peer did not prove to have the code. */
    public boolean isLost() {
        return state.get() == State.LOST;
    }

    /**
     * Uses the only guess.
     *
     * @throws CodeSpentException when it was used before
     */
    void spend() throws CodeSpentException {
        if (!state.compareAndSet(State.FRESH, State.IN_USE)) {
            throw new CodeSpentException();
        }
    }

    /** Ends the use of the guess by a peer that has the code. */
    void prove() {
        state.compareAndSet(State.IN_USE, State.PROVEN);
    }

    /** Ends the use of the guess; no effect after {@link #prove}. */
    void lose() {
        state.compareAndSet(State.IN_USE, State.LOST);
    }

    /** Returns the code for people. */
    @Override
    public String toString() {
        return slot + "-" + secret.substring(0, GROUP) + "-" + secret.substring(GROUP);
    }
}
