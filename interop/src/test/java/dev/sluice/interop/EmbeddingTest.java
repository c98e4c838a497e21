package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.example.TlsEchoServer;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The program that docs/guide/embedding.md shows does what the page says, and is what the page shows. */
class EmbeddingTest {
    private static final int BYTES = 10_000_000;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @Test
    void theServerEchoesMoreThanItMayHold() throws IOException {
        Credential credential = TestCertificates.shared().server();
        byte[] sent = Arrays.copyOf(HttpBackend.pattern(), BYTES);
        try (TlsEchoServer server = new TlsEchoServer(credential.chainFile(), credential.keyFile());
                SSLSocket client = client(server)) {
            Thread.ofVirtual().start(() -> write(client, sent));

            assertThat(client.getInputStream().readNBytes(BYTES)).isEqualTo(sent);
        }
    }

    /**
     * TLS 1.2, which has no key updates: when one is due, the JDK's reader waits for its writer, and that one waits
     * here for what the server may hold.
     */
    private static SSLSocket client(TlsEchoServer server) throws IOException {
        return TlsClient.over(TlsClient.raw(((InetSocketAddress) server.address()).getPort()), "TLSv1.2");
    }

    @Test
    void thePageShowsTheProgram() throws IOException {
        String page = Files.readString(Sluice.home().resolve("docs/guide/embedding.md"));
        Path source = Sluice.home().resolve("interop/src/test/java/dev/sluice/interop/example/TlsEchoServer.java");
        String program = Files.readString(source);

        assertThat(page).contains(program.substring(program.indexOf("/** A TLS server")));
    }

    private static void write(SSLSocket client, byte[] bytes) {
        try {
            OutputStream output = client.getOutputStream();
            output.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
