package dev.sluice.tls.context;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_VERIFY_NONE;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_VERIFY_PEER;

import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.tls.certificate.CertificateSummary;
import dev.sluice.tls.certificate.ClientNames;
import dev.sluice.tls.certificate.Identity;
import dev.sluice.tls.certificate.PemSource;
import dev.sluice.tls.certificate.Staples;
import dev.sluice.tls.ticket.TicketPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A builder of client contexts. Without {@link #trust}, the system's authorities are trusted. */
public final class ClientContextBuilder extends ContextBuilder<ClientContextBuilder> {
    /** The authority bundles of common systems, for an OpenSSL built with other defaults. */
    private static final List<Path> SYSTEM_BUNDLES = List.of(
            Path.of("/etc/ssl/certs/ca-certificates.crt"),
            Path.of("/etc/pki/tls/certs/ca-bundle.crt"),
            Path.of("/etc/ssl/ca-bundle.pem"),
            Path.of("/etc/ssl/cert.pem"));

    /** The prefix of a group whose key share is sent, see SSL_CTX_set1_groups_list(3) of OpenSSL 3.5. */
    private static final String SHARE = "*";

    private final List<PemSource> trusted = new ArrayList<>();
    private boolean anyoneTrusted;

    ClientContextBuilder() {}

    /** Trusts the authorities in a PEM text instead of the system's. */
    public ClientContextBuilder trust(PemSource authorities) {
        trusted.add(authorities);
        return this;
    }

    /** Trusts the authorities in a PEM file instead of the system's. */
    public ClientContextBuilder trust(Path authorities) {
        return trust(PemSource.file(authorities));
    }

    /** Disables the verification of servers; dangerous. For tests and measurements. */
    public ClientContextBuilder dangerouslyTrustAnyone() {
        this.anyoneTrusted = true;
        return this;
    }

    @Override
    String groupsList(OpenSsl openSsl, List<String> known) {
        return withShares(openSsl, known);
    }

    /**
     * Marks the groups whose key shares the first ClientHello carries: the first group and, if it is hybrid, the first
     * non-hybrid one. Without marks, libssl sends one share only, and a server without hybrid groups would answer each
     * full handshake with a HelloRetryRequest. A second key pair costs less than that round trip.
     */
    static String withShares(OpenSsl openSsl, List<String> known) {
        boolean oneShareIsEnough = !isHybrid(known.getFirst()) || known.stream().anyMatch(name -> name.contains(SHARE));
        if (oneShareIsEnough || !openSsl.supportsKeyShareMarks()) {
            return String.join(":", known);
        }
        List<String> marked = new ArrayList<>(known);
        marked.set(0, SHARE + known.getFirst());
        known.stream()
                .filter(name -> !isHybrid(name))
                .findFirst()
                .ifPresent(classic -> marked.set(known.indexOf(classic), SHARE + classic));
        return String.join(":", marked);
    }

    private static boolean isHybrid(String group) {
        return group.contains("MLKEM");
    }

    @Override
    SslCtx newHandle() {
        return SslCtx.client();
    }

    @Override
    ClientContextBuilder self() {
        return this;
    }

    @Override
    Special configureSpecial(SslCtx context, List<CertificateSummary> certificates, AlpnList protocols) {
        boolean byAuthority = !anyoneTrusted && !isPinned();
        int verifyMode = byAuthority ? SSL_VERIFY_PEER : SSL_VERIFY_NONE;
        context.verify(verifyMode);
        if (byAuthority) {
            configureTrust(context);
        }
        if (!protocols.isEmpty()) {
            context.offerAlpn(protocols.wire());
        }
        context.logKeys();
        return new Special(
                false, verifyMode, ClientNames.ANY, TicketPolicy.NONE, null, Staples.NONE, SessionContext.NONE, null);
    }

    private void configureTrust(SslCtx context) {
        if (trusted.isEmpty()) {
            context.trustDefaults();
            SYSTEM_BUNDLES.stream()
                    .filter(Files::isReadable)
                    .findFirst()
                    .ifPresent(bundle -> trustAll(context, PemSource.file(bundle)));
        }
        trusted.forEach(source -> trustAll(context, source));
    }

    private static void trustAll(SslCtx context, PemSource source) {
        for (X509 authority : Identity.certificates(source, "trusted authorities")) {
            try (authority) {
                context.trust(authority);
            }
        }
    }
}
