package dev.sluice.gateway.ech;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The contents of a key file: a private key, which is not parsed, and the configuration for clients.
 *
 * <pre>
 *   u16 bytes { u16 version=0xfe0d, u16 bytes, u8 configId, u16 kem, u16-vector key, u16-vector suites,
 *               u8 maxNameLength, u8-vector publicName, u16-vector extensions } …    ECHConfigList, RFC 9849 section 4
 * </pre>
 *
 * @param file its path
 * @param pem its bytes; to be {@linkplain #wipe wiped}
 * @param configuration the list in Base64: the value of {@code ech=} in DNS
 * @param configId the number of its first configuration, by which a hello names it
 * @param publicName the name that clients send in the clear
 */
@SuppressWarnings("ArrayRecordComponent") // passed on, never compared
record EchKeyFile(Path file, byte[] pem, String configuration, int configId, String publicName) {
    /** More than any key file has: a file beyond it is another one. */
    private static final int BYTES_MAX = 16 * 1024;

    private static final int VERSION = 0xFE0D;

    private static final Pattern CONFIGURATION =
            Pattern.compile("-----BEGIN ECHCONFIG-----([A-Za-z0-9+/=\\s]*)-----END ECHCONFIG-----");

    /**
     * Reads a file.
     *
     * @throws IOException when it cannot be read, or is no key file
     */
    static EchKeyFile read(Path file) throws IOException {
        if (Files.size(file) > BYTES_MAX) {
            throw new IOException(file + " is larger than " + BYTES_MAX + " bytes, which no key file is");
        }
        return of(file, Files.readAllBytes(file));
    }

    /** Parses the contents of a file, which it owns from now on. */
    static EchKeyFile of(Path file, byte[] pem) throws IOException {
        Matcher block = CONFIGURATION.matcher(new String(pem, StandardCharsets.ISO_8859_1));
        if (!block.find()) {
            throw unusable(file, "no block ECHCONFIG");
        }
        String encoded = block.group(1).replaceAll("\\s", "");
        try {
            ByteBuffer list = ByteBuffer.wrap(Base64.getDecoder().decode(encoded));
            list.getShort();
            if (Short.toUnsignedInt(list.getShort()) != VERSION) {
                throw unusable(file, "its version is not RFC 9849's");
            }
            list.getShort();
            int id = Byte.toUnsignedInt(list.get());
            list.getShort();
            skip(list, Short.toUnsignedInt(list.getShort()));
            skip(list, Short.toUnsignedInt(list.getShort()));
            list.get();
            byte[] name = new byte[Byte.toUnsignedInt(list.get())];
            list.get(name);
            return new EchKeyFile(file, pem, encoded, id, new String(name, StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException | BufferUnderflowException damaged) {
            throw unusable(file, "its block ECHCONFIG is damaged");
        }
    }

    private static IOException unusable(Path file, String why) {
        return new IOException(file + " is no ECH key file (" + why + "); see openssl ech");
    }

    private static void skip(ByteBuffer bytes, int count) {
        bytes.position(bytes.position() + count);
    }

    /** Wipes the private key. */
    void wipe() {
        Arrays.fill(pem, (byte) 0);
    }
}
