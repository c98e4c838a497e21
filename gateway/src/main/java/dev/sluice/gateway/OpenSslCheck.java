package dev.sluice.gateway;

import dev.sluice.ffi.openssl.OpenSsl;
import dev.sluice.gateway.config.KeyPairFiles;
import dev.sluice.gateway.config.TicketStoreConfig;
import dev.sluice.gateway.config.TlsCheck;
import dev.sluice.gateway.tickets.TicketKeys;
import dev.sluice.tls.ClientContextBuilder;
import dev.sluice.tls.ContextBuilder;
import dev.sluice.tls.TlsConfigurationException;
import dev.sluice.tls.TlsContext;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks the OpenSSL that was found, by making a context of what is asked about. */
public final class OpenSslCheck implements TlsCheck {
    /** Looks for OpenSSL with the first question only. */
    public OpenSslCheck() {}

    @Override
    public @Nullable String keyPairProblem(KeyPairFiles pair) {
        return problem(TlsContext.server().certificate(pair.chain(), pair.key()).dangerouslyAllowExpiredCertificate());
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
    public @Nullable String clientCaProblem(Path authorities) {
        return problem(TlsContext.client().trust(authorities));
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
