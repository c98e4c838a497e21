package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Random;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the bytes that a gateway copies, other than by the cipher. */
class CopiesTest extends GatewayConformance {
    private static final int MESSAGES = 500;
    private static final int MESSAGE_BYTES = 128;
    private static final int BULK_BYTES = 20_000_000;
    private static final int PIECE_BYTES = 64 * 1024;

    /** It is looked at before an engine is made, and copied into the engine's ring. */
    private static final int MOST_HELLO_BYTES = 2_000;

    /**
     * The most bytes copied of bulk data: where its pieces do not fit the buffers, at its begin or when a peer is slow.
     */
    private static final int MOST_COPIED_BYTES = BULK_BYTES / 100;

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void ofSmallMessagesNothingButTheHello(String version) throws Exception {
        Gateway gateway = fixture.before(fixture.closing(TestBackend.echoing()));
        byte[] message = new byte[MESSAGE_BYTES];
        new Random(1).nextBytes(message);
        try (SSLSocket client = TlsClient.plain().speaking(version).connect(address(gateway))) {
            for (int i = 0; i < MESSAGES; i++) {
                client.getOutputStream().write(message);
                byte[] back = client.getInputStream().readNBytes(MESSAGE_BYTES);
                assertThat(Arrays.equals(back, message)).isTrue();
            }
        }
        assertThat(gateway.bytesCopied()).as("the ClientHello").isLessThan(MOST_HELLO_BYTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void ofADownloadHardlyAnything(String version) throws Exception {
        Gateway gateway = fixture.before(fixture.closing(TestBackend.serving(socket -> {
            byte[] piece = new byte[PIECE_BYTES];
            for (int left = BULK_BYTES; left > 0; left -= piece.length) {
                socket.getOutputStream().write(piece, 0, Math.min(left, piece.length));
            }
        })));
        try (SSLSocket client = TlsClient.plain().speaking(version).connect(address(gateway))) {
            assertThat(client.getInputStream().readNBytes(BULK_BYTES)).hasSize(BULK_BYTES);
        }
        assertThat(gateway.bytesCopied()).isLessThanOrEqualTo(MOST_COPIED_BYTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void ofAnUploadHardlyAnything(String version) throws Exception {
        Gateway gateway = fixture.before(fixture.closing(TestBackend.serving(socket -> {
            InputStream in = socket.getInputStream();
            in.skipNBytes(BULK_BYTES);
            socket.getOutputStream().write(1);
        })));
        try (SSLSocket client = TlsClient.plain().speaking(version).connect(address(gateway))) {
            client.getOutputStream().write(new byte[BULK_BYTES]);
            assertThat(client.getInputStream().read()).isEqualTo(1);
        }
        assertThat(gateway.bytesCopied()).isLessThanOrEqualTo(MOST_COPIED_BYTES);
    }

    private static InetSocketAddress address(Gateway gateway) {
        return gateway.addresses().getFirst();
    }
}
