package dev.sluice.interop.peer;

import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A TLS library that we did not write. What a peer needs is built when it is first used; where that cannot be, the test
 * is skipped or fails: see {@link dev.sluice.testkit.ForeignProgram#absent}.
 */
public enum ForeignPeer {
    /** The system's OpenSSL. */
    LIBSSL(Integer.MAX_VALUE, true) {
        @Override
        PeerConnection open(int port, String version) throws IOException {
            return puppet(PuppetPrograms.libssl(), Map.of(), port, version);
        }
    },
    /** The OpenSSL that the gateway runs on, where that is not the system's. */
    LIBSSL_OF_THE_GATEWAY(Integer.MAX_VALUE, true) {
        @Override
        PeerConnection open(int port, String version) throws IOException {
            return puppet(PuppetPrograms.libssl(), Map.of("LD_LIBRARY_PATH", OPENSSL), port, version);
        }
    },
    /** GnuTLS, which takes no more than eight updates in a second, those that the gateway begins included. */
    GNUTLS(2, true) {
        @Override
        PeerConnection open(int port, String version) throws IOException {
            return puppet(PuppetPrograms.gnutls(), Map.of(), port, version);
        }
    },
    /** Go's crypto/tls. It answers key updates, and begins none. */
    GO(0, false) {
        @Override
        PeerConnection open(int port, String version) throws IOException {
            return puppet(PuppetPrograms.go(), Map.of(), port, version);
        }
    },
    /** The JDK, which updates by itself, with one of the suites: see {@link dev.sluice.interop.fixture.TlsClient}. */
    JDK(0, false) {
        @Override
        PeerConnection open(int port, String version) throws IOException {
            return JdkConnection.open(port, version);
        }
    },
    /** rustls. It always asks for an update when it makes one, and does not tell of those that come. */
    RUSTLS(Integer.MAX_VALUE, false) {
        @Override
        PeerConnection open(int port, String version) throws IOException {
            return puppet(PuppetPrograms.rustls(), Map.of(), port, version);
        }
    };

    private static final String OPENSSL = System.getProperty("sluice.openssl", "");

    private final int updatesMax;
    private final boolean tellsOfUpdates;

    ForeignPeer(int updatesMax, boolean tellsOfUpdates) {
        this.updatesMax = updatesMax;
        this.tellsOfUpdates = tellsOfUpdates;
    }

    /** All peers of this run, those that this machine lacks included. */
    public static List<ForeignPeer> all() {
        return List.of(values()).stream()
                .filter(peer -> peer != LIBSSL_OF_THE_GATEWAY || !OPENSSL.isEmpty())
                .toList();
    }

    /**
     * Connects to the gateway on 127.0.0.1, and verifies that it is localhost.
     *
     * @param version the only version that is offered, {@code "1.2"} or {@code "1.3"}
     */
    public PeerConnection connect(int port, String version) throws IOException {
        return open(port, version);
    }

    /** Returns the most key updates that can be requested in a conversation; 0 where none can. */
    public int updatesMax() {
        return updatesMax;
    }

    /** Returns true when the peer reports how many key updates came. */
    public boolean tellsOfUpdates() {
        return tellsOfUpdates;
    }

    abstract PeerConnection open(int port, String version) throws IOException;

    private static PeerConnection puppet(Path program, Map<String, String> environment, int port, String version)
            throws IOException {
        List<String> line = List.of(
                program.toString(),
                Integer.toString(port),
                TestCertificates.shared().rootFile().toString(),
                version);
        return PuppetConnection.start(line, environment);
    }
}
