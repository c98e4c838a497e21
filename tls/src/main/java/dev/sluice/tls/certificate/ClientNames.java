package dev.sluice.tls.certificate;

import dev.sluice.tls.failure.TlsConfigurationException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names by which a server authorizes clients. One match suffices. The certificate must verify in any case: an
 * unverified name proves nothing.
 *
 * <ul>
 *   <li>{@code cn:billing}: the subject's common name, exactly
 *   <li>{@code dns:billing.example}, {@code dns:*.svc.example}: a DNS name; the asterisk stands for one whole label
 *   <li>{@code email:anna@example.com}: an address, exactly
 *   <li>{@code uri:spiffe://example/billing}, {@code uri:spiffe://example/ns/*}, {@code uri:spiffe://example/**}: a
 *       URI; an asterisk at the end stands for one segment of the path, two for one or more
 *   <li>{@code sha256:…}: the certificate itself, by the SHA-256 digest of its DER form, colons or none in between
 * </ul>
 *
 * <p>Immutable.
 */
public final class ClientNames {
    /** All clients whose certificates verify. */
    public static final ClientNames ANY = new ClientNames(List.of());

    private static final String MARK = "client name ";
    private static final int SHA256_DIGITS = 64;
    private static final Pattern URI_PATTERN = Pattern.compile("[^*]+(?:/\\*{1,2})?");

    private final List<Name> names;

    /** The part of a certificate that a name matches. */
    private enum Kind {
        CN,
        DNS,
        EMAIL,
        URI,
        SHA256
    }

    /**
     * One configured name.
     *
     * @param pattern DNS names and digests in lower case
     */
    private record Name(Kind kind, String pattern) {
        boolean fits(PeerCertificate client) {
            return switch (kind) {
                case CN -> pattern.equals(CommonName.of(client.subject()));
                case SHA256 -> pattern.equals(client.sha256());
                case DNS, EMAIL, URI -> client.alternativeNames().stream().anyMatch(this::fitsAlternative);
            };
        }

        /**
         * Returns whether an alternative name matches.
         *
         * @param written prefixed with its kind, such as {@code DNS:billing.example}
         */
        private boolean fitsAlternative(String written) {
            int colon = written.indexOf(':');
            String name = written.substring(colon + 1);
            return kind.name().equalsIgnoreCase(written.substring(0, Math.max(colon, 0)))
                    && switch (kind) {
                        case DNS -> fitsHost(name.toLowerCase(Locale.ROOT));
                        case URI -> fitsPath(name);
                        default -> pattern.equals(name);
                    };
        }

        private boolean fitsHost(String name) {
            int dot = name.indexOf('.');
            return pattern.startsWith("*.")
                    ? dot > 0 && pattern.substring(1).equals(name.substring(dot))
                    : pattern.equals(name);
        }

        private boolean fitsPath(String name) {
            String below = pattern.endsWith("/**") ? "**" : pattern.endsWith("/*") ? "*" : "";
            String base = pattern.substring(0, pattern.length() - below.length());
            if (below.isEmpty()) {
                return pattern.equals(name);
            }
            String rest = name.startsWith(base) ? name.substring(base.length()) : "";
            return !rest.isEmpty() && (below.length() > 1 || rest.indexOf('/') < 0);
        }
    }

    private ClientNames(List<Name> names) {
        this.names = List.copyOf(names);
    }

    /**
     * Parses names; an empty list gives {@link #ANY}.
     *
     * @throws TlsConfigurationException with value, cause and remedy
     */
    public static ClientNames of(List<String> names) {
        return names.isEmpty()
                ? ANY
                : new ClientNames(names.stream().map(ClientNames::read).toList());
    }

    private static Name read(String text) {
        int colon = text.indexOf(':');
        Kind kind = kind(text.substring(0, Math.max(colon, 0)));
        String value = text.substring(colon + 1);
        if (kind == null || value.isEmpty()) {
            throw new TlsConfigurationException("invalid client name: \"" + text
                    + "\"; write cn:, dns:, email:, uri: or sha256: followed by the name");
        }
        return new Name(kind, pattern(text, kind, value));
    }

    private static @Nullable Kind kind(String text) {
        for (Kind kind : Kind.values()) {
            if (kind.name().equalsIgnoreCase(text)) {
                return kind;
            }
        }
        return null;
    }

    private static String pattern(String text, Kind kind, String value) {
        return switch (kind) {
            case CN, EMAIL -> value;
            case URI -> uri(text, value);
            case DNS -> host(text, value.toLowerCase(Locale.ROOT));
            case SHA256 -> digest(text, value.replace(":", "").toLowerCase(Locale.ROOT));
        };
    }

    private static String host(String text, String value) {
        if (value.lastIndexOf('*') > 0 || (value.startsWith("*") && !value.startsWith("*."))) {
            throw new TlsConfigurationException("invalid client name: \"" + text
                    + "\"; an asterisk stands for the whole first label, as in dns:*.example.com");
        }
        return value;
    }

    private static String uri(String text, String value) {
        if (!URI_PATTERN.matcher(value).matches()) {
            throw new TlsConfigurationException("invalid client name: \"" + text
                    + "\"; asterisks stand for what follows the last slash, as in"
                    + " uri:spiffe://example/* or uri:spiffe://example/**");
        }
        return value;
    }

    private static String digest(String text, String digits) {
        if (digits.length() != SHA256_DIGITS || !digits.chars().allMatch(HexFormat::isHexDigit)) {
            throw new TlsConfigurationException("invalid client name: \"" + text + "\" has " + digits.length()
                    + " characters after sha256:, requires " + SHA256_DIGITS
                    + " hexadecimal digits; openssl x509 -noout -fingerprint -sha256 -in FILE prints them");
        }
        return digits;
    }

    /** Returns whether every verified client is authorized. */
    public boolean isAny() {
        return names.isEmpty();
    }

    /** Returns whether a verified client is authorized. */
    public boolean include(PeerCertificate client) {
        return names.isEmpty() || names.stream().anyMatch(name -> name.fits(client));
    }

    /** Returns a fingerprint input for session contexts, so that no session resumes under other names. */
    public List<String> marks() {
        return names.stream()
                .map(name -> MARK + name.kind() + ' ' + name.pattern())
                .toList();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClientNames that && names.equals(that.names);
    }

    @Override
    public int hashCode() {
        return names.hashCode();
    }

    @Override
    public String toString() {
        return names.isEmpty() ? "any" : names.toString();
    }
}
