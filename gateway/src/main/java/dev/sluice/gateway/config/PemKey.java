package dev.sluice.gateway.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads private keys for the JDK's TLS, which the admin endpoint has: PKCS #8 in PEM, without a passphrase. */
public final class PemKey {
    private static final Pattern PKCS8 =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");

    private PemKey() {}

    /**
     * Reads a key.
     *
     * @throws IOException when the file cannot be read
     * @throws GeneralSecurityException when there is no such key in it; the message tells the remedy
     */
    public static PrivateKey read(Path file) throws IOException, GeneralSecurityException {
        Matcher matcher = PKCS8.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        if (!matcher.find()) {
            throw new InvalidKeyException(
                    "holds no \"BEGIN PRIVATE KEY\"; write it anew by openssl pkcs8 -topk8 -nodes -in OLD -out NEW");
        }
        PKCS8EncodedKeySpec encoded =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(1)));
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException another) {
                // The next algorithm may know it.
            }
        }
        throw new InvalidKeyException("is of none of the kinds " + ALGORITHMS + "; use one of these");
    }
}
