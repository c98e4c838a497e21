package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running gateway takes up a changed configuration on SIGHUP, and renewed certificates by itself. */
class ReloadTest extends GatewayTest {
    private final Credential first = TestCertificates.shared().server();
    private final Credential second =
            TestCertificates.shared().issue(CertificateRequest.named("renewed").forHosts("localhost"));

    @TempDir
    Path directory = Path.of("");

    @Test
    void aHangUpSignalTakesUpTheConfiguration() throws IOException {
        GatewayProcess gateway = gateway(presenting(first));
        try (SSLSocket open = TlsClient.connect(gateway.port())) {
            assertEchoes(open);
            replace(gateway, first.chainFile(), second.chainFile());
            replace(gateway, first.keyFile(), second.keyFile());
            assertThat(presented(gateway)).as("before the signal").isEqualTo(first.certificate());

            gateway.program().hangUp();
            await(gateway, () -> gateway.log().contains("reloaded " + gateway.config() + " (SIGHUP): 1 listener,"));

            assertThat(presented(gateway)).isEqualTo(second.certificate());
            assertEchoes(open);
        }
    }

    @Test
    void aConfigurationWithMistakesIsRefusedWithAllOfThem() throws IOException {
        GatewayProcess gateway = gateway(presenting(first));
        replace(gateway, "backend: main", "backend: mian\n    alpm: [h2]");

        gateway.program().hangUp();
        await(gateway, () -> gateway.log().contains("not reloaded (SIGHUP), what was served goes on: "));

        assertThat(gateway.log()).contains("mian", "alpm");
        assertThat(presented(gateway)).isEqualTo(first.certificate());
    }

    /** As certbot and Kubernetes do it: the path stays, and leads to other files. */
    @Test
    void anExchangedLinkIsNoticedWithoutASignal() throws IOException {
        link(first);
        GatewayProcess gateway = gateway(presenting(linked()));
        assertThat(presented(gateway)).isEqualTo(first.certificate());

        link(second);
        await(gateway, () -> gateway.log().contains(" changed): 1 listener,"));

        assertThat(presented(gateway)).isEqualTo(second.certificate());
    }

    @Test
    void aCertificateWithoutItsKeyIsRefusedUntilTheKeyIsThereToo() throws IOException {
        link(first);
        GatewayProcess gateway = gateway(presenting(linked()));

        link(second.chainFile(), "chain.pem");
        await(gateway, () -> gateway.log().contains("what was served goes on: "));
        assertThat(presented(gateway)).isEqualTo(first.certificate());

        link(second.keyFile(), "key.pem");
        await(gateway, () -> gateway.log().contains(" changed): 1 listener,"));
        assertThat(presented(gateway)).isEqualTo(second.certificate());
    }

    /** Somebody may be about to edit it. */
    @Test
    void aRenewedCertificateDoesNotTakeUpTheConfigurationFile() throws IOException {
        link(first);
        GatewayProcess gateway = gateway(presenting(linked()));
        replace(gateway, "backend: main", "backend: mian");

        link(second);
        await(gateway, () -> gateway.log().contains(" changed): 1 listener,"));

        assertThat(presented(gateway)).isEqualTo(second.certificate());
    }

    @Test
    void aHangUpSignalDoesNotDisturbADrain() throws IOException {
        GatewayProcess gateway = gateway(presenting(first));
        try (SSLSocket open = TlsClient.connect(gateway.port())) {
            assertEchoes(open);
            gateway.program().terminate();
            await(gateway, () -> gateway.log().contains("draining: "));

            gateway.program().hangUp();

            assertEchoes(open);
        }
        ForeignResult result = gateway.program().awaitExit(LONG);
        assertThat(result.exitCode()).as(result.toString()).isZero();
    }

    private GatewaySetup presenting(Credential credential) throws IOException {
        return GatewaySetup.before(backend(Backend.echoing()), transport).presenting(credential);
    }

    private Credential linked() {
        return new Credential(directory.resolve("chain.pem"), directory.resolve("key.pem"), first.chain(), first.key());
    }

    private void link(Credential credential) throws IOException {
        link(credential.chainFile(), "chain.pem");
        link(credential.keyFile(), "key.pem");
    }

    private void link(Path file, String name) throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve(name + ".new"), file);
        Files.move(link, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void replace(GatewayProcess gateway, Object from, Object to) throws IOException {
        String text = Files.readString(gateway.config());
        assertThat(text).contains(from.toString());
        Files.writeString(gateway.config(), text.replace(from.toString(), to.toString()));
    }

    private static X509Certificate presented(GatewayProcess gateway) throws IOException {
        try (SSLSocket client = TlsClient.connect(gateway.port())) {
            return (X509Certificate) client.getSession().getPeerCertificates()[0];
        }
    }

    private static void assertEchoes(SSLSocket client) throws IOException {
        client.getOutputStream().write('x');
        assertThat(client.getInputStream().read()).isEqualTo('x');
    }

    private static void await(GatewayProcess gateway, BooleanSupplier condition) {
        Waiting.until(LONG, condition, gateway::log);
    }
}
