package dev.sluice.tls.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.Wire;
import dev.sluice.tls.engine.EngineKind;
import dev.sluice.tls.engine.OurPeer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The base of the conformance tests: the engine kind, certificates, and a check that every resource of a test is closed
 * and every native byte and descriptor freed.
 */
public abstract class EngineConformance {
    public static final TestCertificates CERTIFICATES = TestCertificates.shared();
    public static final byte[] PING = "ping".getBytes(StandardCharsets.US_ASCII);

    @RegisterExtension
    final NativeBalance<Map<String, Ledger.Balance>> balance =
            NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    public final EngineKind kind;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    public EngineConformance(EngineKind kind) {
        this.kind = kind;
    }

    @AfterEach
    protected void closeAll() throws Exception {
        while (!opened.isEmpty()) {
            opened.removeLast().close();
        }
    }

    /** Registers a resource to close at the end, in reverse order. */
    protected final <T extends AutoCloseable> T closing(T resource) {
        opened.add(resource);
        return resource;
    }

    protected static ServerContextBuilder serverWith(Credential credential) {
        return TlsContext.server().certificate(credential.chainFile(), credential.keyFile());
    }

    protected static ClientContextBuilder trustingClient() {
        return TlsContext.client().trust(CERTIFICATES.rootFile());
    }

    protected final OurPeer server(ServerContextBuilder builder) {
        return closing(kind.server(closing(builder.build())));
    }

    protected final OurPeer server(SharedContext context) {
        return closing(kind.server(context));
    }

    protected final OurPeer client(ClientContextBuilder builder, String host) {
        return closing(kind.client(closing(builder.build()), host));
    }

    protected final OurPeer client(TlsContext context, String host) {
        return closing(kind.client(context, host));
    }

    /** Returns a client and a server after a completed handshake. */
    protected final Pair established(ProtocolVersion version) {
        Pair pair = new Pair(
                client(trustingClient().versions(version, version), "localhost"),
                server(serverWith(CERTIFICATES.server())));
        Wire.whole().handshake(pair.client(), pair.server());
        pair.client().info();
        pair.server().info();
        assertThat(pair.client().read())
                .as("session tickets, which are no data")
                .isEmpty();
        return pair;
    }

    /** Both ends of a connection. */
    public record Pair(OurPeer client, OurPeer server) {}
}
