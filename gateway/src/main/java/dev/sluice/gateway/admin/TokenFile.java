package dev.sluice.gateway.admin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * The token that clients must show ({@code Authorization: Bearer …}, RFC 6750). The file is read for each request, so
 * that a token can be exchanged while the gateway runs.
 */
final class TokenFile {
    private static final String SCHEME = "bearer ";
    /** More than any token has. */
    private static final int BYTES_MAX = 4096;

    private final Path file;

    TokenFile(Path file) {
        this.file = file;
    }

    /**
     * Returns true when a header presents the token. The comparison takes as long for a token that is nearly right as
     * for any other.
     *
     * @throws IOException when the file cannot be read
     */
    boolean isShownBy(@Nullable String authorization) throws IOException {
        byte[] token = Files.readString(file).strip().getBytes(StandardCharsets.UTF_8);
        if (token.length == 0) {
            throw new IOException(file + " is empty; write a token into it");
        }
        if (authorization == null
                || authorization.length() > BYTES_MAX
                || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return false;
        }
        byte[] shown = authorization.substring(SCHEME.length()).strip().getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(token, shown);
    }
}
