package dev.sluice.tls;

import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.X509Crl;
import dev.sluice.ffi.openssl.X509Store;
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
 * By whom a server's clients must be certified, and which of their certificates are revoked: read and checked, in OpenSSL's
 * memory. Several contexts of one event loop can be made of one; loops that share one wait for each other.
 *
 * <p>With revocation lists, each authority between a client and its root, the root included, must have one that is valid: a
 * client of an authority without one is refused, and so is everybody when a list has expired.
 *
 * <p>Its maker closes it once; contexts that are still to be made of it hold it themselves.
 */
public final class ClientTrust implements AutoCloseable {
    /** As many intermediate authorities as OpenSSL takes. */
    public static final int ANY_DEPTH = -1;

    /** As {@code ASN1_TIME_print} has it; the day is padded with a blank. */
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
     * What a revocation list says of itself.
     *
     * @param source the file or name that it came from
     * @param issuer the authority that it is of, as RFC 2253 text
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
     * Reads and checks.
     *
     * @param authorities PEM: those that may have issued clients' certificates
     * @param revoked PEM: their revocation lists; empty: nothing is revoked
     * @param depth how many intermediate authorities may stand between a client's certificate and one of the authorities;
     *     {@link #ANY_DEPTH}
     * @return the caller closes it
     * @throws TlsConfigurationException naming value, cause and remedy
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
                            + "); it must begin with -----BEGIN X509 CRL----- and be complete: convert another form with"
                            + " openssl crl -inform der -in FILE",
                    e);
        }
    }

    private static Instant instant(String openSslTime) {
        try {
            return openSslTime.isEmpty() ? Instant.MAX : OPENSSL_TIME.parse(openSslTime, Instant::from);
        } catch (DateTimeParseException notATime) {
            return Instant.EPOCH; // no verification takes it either
        }
    }

    /** The revocation lists. */
    public List<RevocationList> revocationLists() {
        return lists;
    }

    /** The authorities that have no revocation list, as RFC 2253 text, when others have one. */
    public List<String> authoritiesWithoutList() {
        Set<String> issuers = lists.stream().map(RevocationList::issuer).collect(Collectors.toSet());
        return lists.isEmpty()
                ? List.of()
                : authorities.stream()
                        .map(X509::subject)
                        .filter(subject -> !issuers.contains(subject))
                        .toList();
    }

    /** What tells it from any other, so that no session that was made under one goes on under another. */
    List<String> marks() {
        return marks;
    }

    /** Has a context verify clients by it. */
    void useIn(SslCtx context) {
        context.trust(store);
        authorities.forEach(context::nameAuthority);
    }

    /** The same for one more holder, who closes it too. */
    ClientTrust held() {
        holders.incrementAndGet();
        return this;
    }

    /** One holder less; the last one frees it. */
    @Override
    public void close() {
        if (holders.decrementAndGet() == 0) {
            store.close();
            authorities.forEach(X509::close);
        }
    }
}
