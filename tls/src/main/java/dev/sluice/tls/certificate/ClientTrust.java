package dev.sluice.tls.certificate;

import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.X509Crl;
import dev.sluice.ffi.openssl.X509Store;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * The authorities that certify a server's clients, and their revocation lists: read, checked, and held in OpenSSL's
 * memory. Several contexts of one event loop can share one; sharing it between loops causes lock contention.
 *
 * <p>With revocation lists, every authority between a client and its root, including the root, needs a valid one: a
 * client of an authority without a list is rejected, and an expired list rejects all clients.
 *
 * <p>The creator closes it once; contexts built from it co-own its contents.
 */
public final class ClientTrust implements AutoCloseable {
    /** The maximum number of intermediate authorities that OpenSSL accepts. */
    public static final int ANY_DEPTH = -1;

    /** The format of {@code ASN1_TIME_print}; the day is padded with a blank. */
    private static final DateTimeFormatter OPENSSL_TIME = DateTimeFormatter.ofPattern(
                    "MMM ppd HH:mm:ss yyyy 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private static final String LIST_MARK = "crl ";

    private static final String DEPTH_MARK = "depth ";

    private final X509Store store;
    private final List<X509> authorities;
    private final List<RevocationList> lists;
    private final List<String> marks;
    private final AtomicInteger holders = new AtomicInteger(1);

    /**
     * The description of a revocation list.
     *
     * @param source the file or name of its origin
     * @param issuer the issuing authority as RFC 2253 text
     * @param nextUpdate when it expires; {@link Instant#MAX} when it never does
     */
    public record RevocationList(String source, String issuer, Instant nextUpdate) {}

    private ClientTrust(X509Store store, List<X509> authorities, List<RevocationList> lists, List<String> marks) {
        this.store = store;
        this.authorities = authorities;
        this.lists = List.copyOf(lists);
        this.marks = List.copyOf(marks);
    }

    /**
     * Loads and checks authorities and revocation lists.
     *
     * @param authorities PEM: the permitted issuers of client certificates
     * @param revoked PEM: their revocation lists; empty disables revocation
     * @param depth maximum number of intermediate authorities between a client's certificate and one of the
     *     authorities, or {@link #ANY_DEPTH}
     * @return the caller closes it
     * @throws TlsConfigurationException with value, cause and remedy
     */
    public static ClientTrust load(PemSource authorities, List<PemSource> revoked, int depth) {
        List<X509> certificates = Identity.certificates(authorities, "client authorities");
        X509Store store = X509Store.empty();
        try {
            List<String> marks = new ArrayList<>();
            for (X509 certificate : certificates) {
                store.add(certificate);
                marks.add(Fingerprint.text(certificate.sha256()));
            }
            List<RevocationList> lists = new ArrayList<>();
            for (PemSource source : revoked) {
                addLists(source, store, lists, marks);
            }
            if (!revoked.isEmpty()) {
                store.requireLists();
            }
            if (depth != ANY_DEPTH) {
                store.depth(depth);
                marks.add(DEPTH_MARK + depth);
            }
            return new ClientTrust(store, List.copyOf(certificates), lists, marks);
        } catch (RuntimeException e) {
            store.close();
            certificates.forEach(X509::close);
            throw e;
        }
    }

    private static void addLists(PemSource source, X509Store store, List<RevocationList> lists, List<String> marks) {
        for (X509Crl list : read(source)) {
            try (list) {
                store.add(list);
                marks.add(LIST_MARK + Fingerprint.text(list.sha256()));
                lists.add(new RevocationList(source.name(), list.issuer(), instant(list.nextUpdate())));
            }
        }
    }

    private static List<X509Crl> read(PemSource source) {
        try (SecretBytes pem = source.read("revocation list")) {
            return X509Crl.allFromPem(pem.bytes());
        } catch (OpenSslException e) {
            throw new TlsConfigurationException(
                    "revocation list not usable: " + source + " holds none that OpenSSL can read (" + e.getMessage()
                            + "); it must begin with -----BEGIN X509 CRL----- and be complete; convert other formats"
                            + " with openssl crl -inform der -in FILE",
                    e);
        }
    }

    private static Instant instant(String openSslTime) {
        try {
            return openSslTime.isEmpty() ? Instant.MAX : OPENSSL_TIME.parse(openSslTime, Instant::from);
        } catch (DateTimeParseException notATime) {
            return Instant.EPOCH; // verification rejects it as well
        }
    }

    /** Returns the revocation lists. */
    public List<RevocationList> revocationLists() {
        return lists;
    }

    /** Returns the authorities without a revocation list, as RFC 2253 text, if others have one. */
    public List<String> authoritiesWithoutList() {
        Set<String> issuers = lists.stream().map(RevocationList::issuer).collect(Collectors.toSet());
        return lists.isEmpty()
                ? List.of()
                : authorities.stream()
                        .map(X509::subject)
                        .filter(subject -> !issuers.contains(subject))
                        .toList();
    }

    /** Returns a fingerprint input for session contexts, so that no session resumes under another trust. */
    public List<String> marks() {
        return marks;
    }

    /** Configures a context to verify clients with these authorities. */
    public void useIn(SslCtx context) {
        context.trust(store);
        authorities.forEach(context::nameAuthority);
    }

    /** Returns another reference, which the caller closes. */
    public ClientTrust held() {
        holders.incrementAndGet();
        return this;
    }

    /** Releases one reference; the last one frees the contents. */
    @Override
    public void close() {
        if (holders.decrementAndGet() == 0) {
            store.close();
            authorities.forEach(X509::close);
        }
    }
}
