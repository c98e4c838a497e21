package dev.sluice.transfer.tree;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The hash that makes the name of an incomplete file from the name of the file. */
final class TemporaryHash {
    private TemporaryHash() {}

    static byte[] of(byte[] name) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(name);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
