package dev.sluice.tls.certificate;

import java.util.HexFormat;

/** Certificate fingerprints in text form. */
public final class Fingerprint {
    private static final HexFormat PAIRS = HexFormat.ofDelimiter(":").withUpperCase();

    private Fingerprint() {}

    /** Formats a digest as {@code AB:CD:...}. */
    public static String text(byte[] digest) {
        return PAIRS.formatHex(digest);
    }
}
