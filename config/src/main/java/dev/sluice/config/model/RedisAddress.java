package dev.sluice.config.model;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * The address of a Redis or Valkey: {@code redis://[[user]:password@]host[:port][/database][?key=NAME]}, with {@code
 * rediss://} for TLS.
 *
 * @param key the Redis key of the ticket keys
 */
public record RedisAddress(
        String host,
        int port,
        boolean tls,
        @Nullable String user,
        @Nullable String password,
        int database,
        String key) {
    /** The default Redis key of the ticket keys. */
    public static final String DEFAULT_KEY = "sluice:tickets";

    private static final int DEFAULT_PORT = 6379;
    private static final int DATABASE_MAX = 1_000_000;
    private static final String FORM =
            "; write redis://host:port, or redis://user:password@host:port/database?key=NAME, with rediss:// for TLS";

    /**
     * Parses an address.
     *
     * @throws IllegalArgumentException with value, cause and remedy; a password is not repeated
     */
    public static RedisAddress parse(String text) {
        URI uri = uri(text);
        if (uri.getHost() == null) {
            throw new IllegalArgumentException("the store's address has no host" + FORM);
        }
        String[] credentials = credentials(uri.getRawUserInfo());
        return new RedisAddress(
                uri.getHost(),
                uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
                "rediss".equals(uri.getScheme()),
                credentials[0].isEmpty() ? null : credentials[0],
                credentials[1].isEmpty() ? null : credentials[1],
                database(uri.getPath()),
                key(uri.getRawQuery()));
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("the store is not an address: " + e.getReason() + FORM, e);
        }
    }

    private static String[] credentials(@Nullable String userInfo) {
        if (userInfo == null) {
            return new String[] {"", ""};
        }
        int colon = userInfo.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("the store's address has a user without a password" + FORM);
        }
        return new String[] {decoded(userInfo.substring(0, colon)), decoded(userInfo.substring(colon + 1))};
    }

    /** Decodes percent signs, but no plus: this is not a form. */
    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static int database(@Nullable String path) {
        if (path == null || path.isEmpty() || path.equals("/")) {
            return 0;
        }
        try {
            int number = Integer.parseInt(path.substring(1));
            if (number >= 0 && number <= DATABASE_MAX) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // reported below
        }
        throw new IllegalArgumentException(
                "the store's database is \"" + path.substring(1) + "\", not a number" + FORM);
    }

    private static String key(@Nullable String query) {
        if (query == null) {
            return DEFAULT_KEY;
        }
        if (!query.startsWith("key=") || query.length() == "key=".length()) {
            throw new IllegalArgumentException(
                    "the store's address has \"?" + query + "\"; only ?key=NAME is known" + FORM);
        }
        return decoded(query.substring("key=".length()));
    }

    /**
     * Returns the address of something beside the ticket keys.
     *
     * @param suffix of its Redis key, after that of the ticket keys
     */
    public RedisAddress beside(String suffix) {
        return new RedisAddress(host, port, tls, user, password, database, key + suffix);
    }

    /**
     * Returns the address with another text in place of its password, if it has one.
     *
     * @param shown the text in place of the password
     */
    public String withPassword(String shown) {
        if (password == null) {
            return toString();
        }
        String credentials = (user == null ? "" : encoded(user)) + ":" + shown + "@";
        return toString().replaceFirst("://", Matcher.quoteReplacement("://" + credentials));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Returns the address without user and password. */
    @Override
    public String toString() {
        return (tls ? "rediss://" : "redis://") + host + ":" + port + (database == 0 ? "" : "/" + database)
                + (key.equals(DEFAULT_KEY) ? "" : "?key=" + key);
    }
}
