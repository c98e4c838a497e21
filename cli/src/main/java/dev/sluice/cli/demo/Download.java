package dev.sluice.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SplittableRandom;

/** Bytes to download, the same every time, and digests of bytes that were sent. */
final class Download {
    /** The path of downloads. */
    static final String PREFIX = "/bytes/";

    /** Of a length that no buffer's is a multiple of, so that a lost or doubled piece shows in the digest. */
    private static final byte[] PATTERN = new byte[65_521];

    private static final long SEED = 20_261_121;

    static {
        new SplittableRandom(SEED).nextBytes(PATTERN);
    }

    private Download() {}

    /** Parses N; -1 when it is no number or too large. */
    static long size(String text) {
        try {
            long size = Long.parseLong(text);
            return size > DemoBackend.DOWNLOAD_BYTES_MAX ? -1 : size;
        } catch (NumberFormatException notANumber) {
            return -1;
        }
    }

    static void write(long bytes, OutputStream output) throws IOException {
        long left = bytes;
        while (left > 0) {
            int count = (int) Math.min(left, PATTERN.length);
            output.write(PATTERN, 0, count);
            left -= count;
        }
    }

    /** The digest of the first bytes of a download, in hexadecimal. */
    static String sha256(long bytes) {
        MessageDigest digest = newDigest();
        long left = bytes;
        while (left > 0) {
            int count = (int) Math.min(left, PATTERN.length);
            digest.update(PATTERN, 0, count);
            left -= count;
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** The digest of a stream up to its end, in hexadecimal. */
    static String sha256(InputStream input) throws IOException {
        MessageDigest digest = newDigest();
        byte[] buffer = new byte[PATTERN.length];
        int read = input.read(buffer);
        while (read >= 0) {
            digest.update(buffer, 0, read);
            read = input.read(buffer);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException everyPlatformHasIt) {
            throw new IllegalStateException(everyPlatformHasIt);
        }
    }
}
