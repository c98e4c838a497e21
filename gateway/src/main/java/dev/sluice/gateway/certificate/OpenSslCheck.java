package dev.sluice.gateway.certificate;

import dev.sluice.config.certificate.CertificateFiles;
import dev.sluice.config.certificate.CertificateFindings;
import dev.sluice.config.certificate.RevocationFindings;
import dev.sluice.config.certificate.RevocationList;
import dev.sluice.config.model.TicketStoreConfig;
import dev.sluice.config.read.TlsCheck;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.gateway.tickets.TicketKeys;
import dev.sluice.tls.certificate.ClientTrust;
import dev.sluice.tls.certificate.Identity;
import dev.sluice.tls.certificate.PemSource;
import dev.sluice.tls.context.ClientContextBuilder;
import dev.sluice.tls.context.ContextBuilder;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.KernelTls;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The check of a configuration against the loaded OpenSSL, by creating a context for each part, and against the kernel
 * where TLS is asked of that. Keeps the certificates that it has loaded, for the gateway that will serve them, until it
 * is closed. Confined to one thread.
 */
public final class OpenSslCheck implements TlsCheck, AutoCloseable {
    /** The set of files that are read. */
    private enum Reading {
        ALL,
        CHANGED
    }

    private final LoadedCertificates loaded = new LoadedCertificates();
    private final LoadedCertificates before;
    private final Reading reading;
    private final Predicate<Path> unchanged;
    private @Nullable SslCtx scratch;

    private OpenSslCheck(LoadedCertificates before, Reading reading, Predicate<Path> unchanged) {
        this.before = before;
        this.reading = reading;
        this.unchanged = unchanged;
    }

    /** Nothing was served before. Looks for OpenSSL with the first question only. */
    public OpenSslCheck() {
        this(new LoadedCertificates(), Reading.ALL, file -> false);
    }

    /**
     * Returns a check for an explicit reload: it reads everything. What lies in directories and has become unusable is
     * served on as it was.
     *
     * @param served what is served now; to be closed after this one has been asked
     */
    public static OpenSslCheck ofReload(OpenSslCheck served) {
        return new OpenSslCheck(served.loaded, Reading.ALL, file -> false);
    }

    /**
     * Returns a check for files that have changed by themselves: it does not read again what is served and unchanged.
     * Whatever has become unusable is served on as it was.
     *
     * @param served what is served now; to be closed after this one has been asked
     * @param unchanged whether a file is as it was when the other one read it
     */
    public static OpenSslCheck ofRenewal(OpenSslCheck served, Predicate<Path> unchanged) {
        return new OpenSslCheck(served.loaded, Reading.CHANGED, unchanged);
    }

    @Override
    public CertificateFindings certificate(CertificateFiles files) {
        try (Identity identity = usable(files)) {
            CertificateFindings found = findings(identity);
            loaded.add(files, identity);
            return found;
        } catch (TlsConfigurationException bad) {
            return CertificateFindings.problem(String.valueOf(bad.getMessage()));
        } catch (CertificateException unknown) {
            return CertificateFindings.problem("the JDK cannot read the certificate in " + files.chain() + " ("
                    + unknown.getMessage() + "), OpenSSL can; have it issued anew");
        }
    }

    @Override
    public CertificateFindings placeholder(CertificateFiles files, List<String> names) {
        try (Identity identity = Placeholder.of(files.chain().toString(), names)) {
            loaded.add(files, identity);
            return findings(identity);
        } catch (OpenSslException | CertificateException failed) {
            return CertificateFindings.problem(
                    "no placeholder for " + names + " can be made (" + failed.getMessage() + ")");
        }
    }

    private static CertificateFindings findings(Identity identity) throws CertificateException {
        return CertificateFindings.of(IdentitySources.certificate(identity), identity.warnings());
    }

    @Override
    public boolean isRenewal() {
        return reading == Reading.CHANGED;
    }

    @Override
    public @Nullable CertificateFindings previous(CertificateFiles files) {
        Identity served = before.findOutdated(files);
        try {
            return served == null ? null : findings(served);
        } catch (CertificateException impossible) {
            throw new IllegalStateException("a certificate that is served cannot be read", impossible);
        }
    }

    @Override
    public void keepPrevious(CertificateFiles files) {
        loaded.addOutdated(files, Objects.requireNonNull(before.findOutdated(files)));
    }

    @Override
    public List<CertificateFiles> previousBelow(Path directory) {
        return before.below(directory);
    }

    private Identity usable(CertificateFiles files) {
        Identity known = files.all().allMatch(unchanged) ? before.find(files) : null;
        if (known != null) {
            return known.held();
        }
        Identity read = Identity.load(IdentitySources.of(files));
        try {
            read.requireUsable(scratch());
            return read;
        } catch (RuntimeException e) {
            read.close();
            throw e;
        }
    }

    private SslCtx scratch() {
        SslCtx context = scratch;
        if (context == null) {
            context = SslCtx.server();
            scratch = context;
        }
        return context;
    }

    /** The certificates that were asked about. */
    public LoadedCertificates loaded() {
        return loaded;
    }

    /** Forgets what was loaded. Again without effect. */
    @Override
    public void close() {
        loaded.close();
        if (scratch != null) {
            scratch.close();
            scratch = null;
        }
    }

    @Override
    public @Nullable String ticketStoreProblem(TicketStoreConfig store) {
        return TicketKeys.problem(store);
    }

    @Override
    public @Nullable String ciphersProblem(List<String> ciphers) {
        for (String cipher : ciphers) {
            ClientContextBuilder builder = anyClient();
            CipherSuites.of(List.of(cipher)).applyTo(builder);
            if (problem(builder) != null) {
                return "cipher suite \"" + cipher + "\" is unknown to " + openSsl()
                        + "; see the names with: openssl ciphers -v";
            }
        }
        return null;
    }

    @Override
    public @Nullable String groupsProblem(List<String> groups) {
        for (String group : groups) {
            if (!OpenSsl.require().supportsGroup(group)) {
                return "group \"" + group + "\" is unknown to " + openSsl()
                        + "; write for example X25519 or P-256, or use a newer OpenSSL";
            }
        }
        return null;
    }

    @Override
    public @Nullable String encryptedHelloProblem() {
        return OpenSsl.require().supportsEncryptedHello()
                ? null
                : "ech needs OpenSSL 4.0 or later, but this is "
                        + OpenSsl.require().version() + "; set " + OpenSsl.ENVIRONMENT
                        + " to a directory with it, or remove ech";
    }

    @Override
    public @Nullable String kernelRecordsProblem() {
        try (LibC libc = new LibC()) {
            String missing = KernelTls.unavailable(libc);
            return missing.isEmpty()
                    ? null
                    : "records is kernel, but " + missing + ", or set records: auto, which uses kernel TLS where it is";
        }
    }

    @Override
    public @Nullable String clientCaProblem(Path authorities) {
        return problem(TlsContext.client().trust(authorities));
    }

    @Override
    public RevocationFindings revocations(Path authorities, List<Path> files) {
        List<PemSource> sources = files.stream().map(PemSource::file).toList();
        try (ClientTrust trust = ClientTrust.load(PemSource.file(authorities), sources, ClientTrust.ANY_DEPTH)) {
            List<RevocationList> lists = trust.revocationLists().stream()
                    .map(list -> new RevocationList(Path.of(list.source()), list.issuer(), list.nextUpdate()))
                    .toList();
            List<String> warnings = trust.authoritiesWithoutList().stream()
                    .map(subject -> "no revocation list in client-crl is of " + subject + ", which stands in "
                            + authorities + "; its clients are refused until there is one")
                    .toList();
            return new RevocationFindings(lists, warnings, null);
        } catch (TlsConfigurationException bad) {
            return new RevocationFindings(List.of(), List.of(), bad.getMessage());
        }
    }

    private static ClientContextBuilder anyClient() {
        return TlsContext.client().dangerouslyTrustAnyone();
    }

    private static String openSsl() {
        return OpenSsl.require().version();
    }

    private static @Nullable String problem(ContextBuilder<?> builder) {
        try {
            builder.build().close();
            return null;
        } catch (TlsConfigurationException bad) {
            return bad.getMessage();
        }
    }
}
