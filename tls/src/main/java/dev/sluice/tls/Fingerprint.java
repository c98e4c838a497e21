package dev.sluice.tls;

import java.util.HexFormat;

/** Fingerprints as people compare them. */
public final class Fingerprint {
    private static final HexFormat PAIRS = HexFormat.ofDelimiter(":").withUpperCase();

    private Fingerprint() {}

    /** {@code AB:CD:...}. */
    public static String text(byte[] digest) {
        return PAIRS.formatHex(digest);
    }
}
