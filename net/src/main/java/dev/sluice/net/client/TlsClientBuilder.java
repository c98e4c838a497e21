package dev.sluice.net.client;

import dev.sluice.net.peer.BackPressure;
import dev.sluice.net.peer.PeerBuilder;
import dev.sluice.tls.certificate.IdentitySource;
import dev.sluice.tls.certificate.PemSource;
import dev.sluice.tls.context.ClientContextBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A builder of TLS clients. By default, servers are verified against the JDK's trust store, on one loop, and a connect
 * may take ten seconds from the lookup to the end of the handshake.
 */
public final class TlsClientBuilder extends PeerBuilder<TlsClientBuilder> {
    /** The default number of servers whose session a loop keeps. */
    private static final int SESSIONS_MAX = 256;

    private final List<Consumer<ClientContextBuilder>> settings = new ArrayList<>();
    private final List<PemSource> authorities = new ArrayList<>();
    private Trust trust = Trust.JDK;
    private AddressResolver resolver = AddressResolver.OF_THE_JDK;
    private Duration connectDeadline = Duration.ofSeconds(10);
    private int sessionsMax = SESSIONS_MAX;

    /** The sources of authorities. */
    private enum Trust {
        JDK,
        SYSTEM,
        GIVEN
    }

    TlsClientBuilder() {
        super("tls-client", 1, Duration.ZERO, BackPressure.KEEP_RECEIVING);
    }

    /** Trusts the authorities in a PEM file, and no others but those of further calls. */
    public TlsClientBuilder trust(Path file) {
        return trust(PemSource.file(file));
    }

    /** Trusts the authorities in a PEM text, and no others but those of further calls. */
    public TlsClientBuilder trust(PemSource source) {
        this.trust = Trust.GIVEN;
        authorities.add(source);
        return this;
    }

    /** Trusts the authorities of the operating system instead of the JDK's. */
    public TlsClientBuilder trustSystem() {
        this.trust = Trust.SYSTEM;
        authorities.clear();
        return this;
    }

    /** Adds a certificate that is presented to servers which request one. */
    public TlsClientBuilder certificate(Path chain, Path key) {
        return tls(context -> context.certificate(IdentitySource.pem(chain, key)));
    }

    /** Sets the application protocols by preference. */
    public TlsClientBuilder alpn(String... protocols) {
        List<String> names = List.of(protocols);
        return tls(context -> context.alpn(names));
    }

    /**
     * Changes any TLS setting: versions, suites, groups, pinned keys.
     *
     * @param change is called for the context of each loop
     */
    public TlsClientBuilder tls(Consumer<ClientContextBuilder> change) {
        settings.add(change);
        return this;
    }

    /** Sets the source of addresses: by default, the JDK's lookup. */
    public TlsClientBuilder resolver(AddressResolver source) {
        this.resolver = source;
        return this;
    }

    /** Sets the time that a connection may take from the lookup to the end of the handshake: by default 10 s. */
    public TlsClientBuilder connectDeadline(Duration deadline) {
        if (deadline.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "connectDeadline=" + deadline.toNanos() + " ns is too short; use at least 1 ms");
        }
        this.connectDeadline = deadline;
        return this;
    }

    /** Sets the number of servers whose session each loop keeps for resumption: by default 256; 0 for none. */
    public TlsClientBuilder sessionsMax(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("sessionsMax=" + count + " is negative; 0 disables resumption");
        }
        this.sessionsMax = count;
        return this;
    }

    /**
     * Builds the client, and starts its loops.
     *
     * @return the caller closes it
     * @throws dev.sluice.tls.failure.TlsConfigurationException when an authority, certificate or setting is invalid
     * @throws dev.sluice.ffi.openssl.raw.OpenSslNotFoundException when no OpenSSL is found
     */
    public TlsClient build() {
        List<PemSource> trusted = switch (trust) {
            case JDK -> List.of(JdkAuthorities.load());
            case SYSTEM -> List.of();
            case GIVEN -> List.copyOf(authorities);
        };
        List<Consumer<ClientContextBuilder>> changes = List.copyOf(settings);
        Consumer<ClientContextBuilder> configure = context -> {
            trusted.forEach(context::trust);
            context.keepPeerChain();
            changes.forEach(change -> change.accept(context));
        };
        return TlsClient.start(
                loopCount(), loopConfig(), limits(), configure, sessionsMax, resolver, connectDeadline.toMillis());
    }

    @Override
    protected TlsClientBuilder self() {
        return this;
    }
}
