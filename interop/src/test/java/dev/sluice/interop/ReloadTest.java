package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.List;
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

    /** As logrotate does it. */
    @Test
    void aUserSignalReopensTheAccessLogAndReloadsNothing() throws IOException {
        Path log = directory.resolve("access.log");
        GatewayProcess gateway = gateway(presenting(first).with("access-log: {file: \"" + log + "\", max-size: 0B}"));
        presented(gateway);
        await(gateway, () -> lines(log) == 1);

        Files.move(log, directory.resolve("access.log.1"));
        ForeignProgram.required("sh", "dash")
                .command("-c", "kill -USR1 " + gateway.program().pid())
                .run()
                .expectSuccess();
        await(gateway, () -> gateway.log().contains("log files reopened (SIGUSR1)"));
        presented(gateway);

        await(gateway, () -> lines(log) == 1);
        assertThat(lines(directory.resolve("access.log.1"))).isEqualTo(1);
        assertThat(gateway.log()).doesNotContain("reloaded");
    }

    private static long lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file).size() : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aConfigurationWithMistakesIsRefusedWithAllOfThem() throws IOException {
        GatewayProcess gateway = gateway(presenting(first));
        replace(gateway, "backend: main", "backend: mian\n    alpm: [h2]");

        gateway.program().hangUp();
        await(gateway, () -> gateway.log().contains("reload rejected (SIGHUP); the previous configuration"));

        assertThat(gateway.log()).contains("mian", "alpm");
        assertThat(presented(gateway)).isEqualTo(first.certificate());
    }

    /** Exchanges the link as certbot and Kubernetes do: the path stays, and leads to other files. */
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
    void aCertificateWithoutItsKeyKeepsThePreviousOneUntilTheKeyIsThereToo() throws IOException {
        link(first);
        GatewayProcess gateway = gateway(presenting(linked()));

        link(second.chainFile(), "chain.pem");
        await(gateway, () -> gateway.log().contains("not renewed, the previous one stays in use (key does not fit"));
        assertThat(presented(gateway)).isEqualTo(first.certificate());

        link(second.keyFile(), "key.pem");
        await(gateway, () -> gateway.log().contains("all certificate files can be used again"));
        assertThat(presented(gateway)).isEqualTo(second.certificate());
    }

    /**
     * Checks that a change which a rejected reload did not apply is not forgotten, although its file does not change
     * again.
     */
    @Test
    void aRenewalThatWasRefusedForAnotherFileIsTakenUpLater() throws IOException {
        link(first);
        Path authorities = Files.copy(TestCertificates.shared().rootFile(), directory.resolve("ca.pem"));
        GatewayProcess gateway =
                gateway(presenting(linked()).listener("client-auth: optional").listener("client-ca: " + authorities));

        Files.delete(authorities);
        link(second);
        await(gateway, () -> gateway.log().contains("the previous configuration stays active: "));
        assertThat(presented(gateway)).isEqualTo(first.certificate());

        Files.copy(TestCertificates.shared().rootFile(), authorities);
        await(gateway, () -> gateway.log().contains(" changed): 1 listener,"));
        assertThat(presented(gateway)).isEqualTo(second.certificate());
    }

    @Test
    void aGarbageFileInTheDirectoryStopsNoRenewalAndNoStart() throws IOException {
        Path certificates = Files.createDirectories(directory.resolve("certs"));
        copy(first, certificates.resolve("first"));
        Files.writeString(certificates.resolve("broken.pem"), "no certificate");
        GatewayProcess gateway = gateway(serving(certificates));
        assertThat(presented(gateway)).isEqualTo(first.certificate());
        assertThat(gateway.log()).contains("certificate main: skipped, all others are served (");

        Files.writeString(certificates.resolve("late.pem"), "");
        Credential other = TestCertificates.shared()
                .issue(CertificateRequest.named("put").forHosts("localhost").valid(-1, 40));
        copy(other, certificates.resolve("another"));
        await(gateway, () -> gateway.log().contains("not usable: 2 certificate files"));
        await(gateway, () -> presentedNow(gateway).equals(other.certificate()));

        ForeignResult checked =
                Sluice.command("check", "--strict", gateway.config().toString()).run();
        assertThat(checked.exitCode()).as(checked.toString()).isEqualTo(2);
        assertThat(checked.output()).contains("broken.pem", "late.pem");
    }

    private static X509Certificate presentedNow(GatewayProcess gateway) {
        try {
            return presented(gateway);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A secret's files are links through ..data, which alone is exchanged: all of it at once. */
    @Test
    void aSecretThatKubernetesExchangesIsNoticed() throws IOException {
        Path secret = Files.createDirectories(directory.resolve("secret"));
        mount(secret, "..2026_01_01", first);
        Files.createSymbolicLink(secret.resolve("tls.crt"), Path.of("..data", "tls.crt"));
        Files.createSymbolicLink(secret.resolve("tls.key"), Path.of("..data", "tls.key"));
        GatewayProcess gateway = gateway(serving(secret));
        assertThat(presented(gateway)).isEqualTo(first.certificate());

        mount(secret, "..2026_02_02", second);
        await(gateway, () -> gateway.log().contains(" changed): 1 listener,"));

        assertThat(presented(gateway)).isEqualTo(second.certificate());
        assertThat(gateway.log()).doesNotContain("not reloaded");
    }

    /** Certbot leads the links of one certificate to new files in its archive, one after the other. */
    @Test
    void aCertificateThatCertbotRenewsIsNoticed() throws IOException {
        Path live = Files.createDirectories(directory.resolve("live/localhost"));
        certbot(live, 1, first);
        GatewayProcess gateway = gateway(serving(directory.resolve("live")));
        assertThat(presented(gateway)).isEqualTo(first.certificate());

        certbot(live, 2, second);
        await(gateway, () -> gateway.log().contains(" changed): 1 listener,"));

        assertThat(presented(gateway)).isEqualTo(second.certificate());
    }

    @Test
    void aCertificateThatIsPutIntoTheDirectoryIsServed() throws IOException {
        Path certificates = Files.createDirectories(directory.resolve("certs"));
        copy(first, certificates.resolve("first"));
        GatewayProcess gateway = gateway(serving(certificates));
        Credential other = TestCertificates.shared()
                .issue(CertificateRequest.named("put").forHosts("localhost").valid(-1, 40));

        copy(other, certificates.resolve("another"));
        await(gateway, () -> gateway.log().contains(" changed): 1 listener,"));

        assertThat(presented(gateway)).isEqualTo(other.certificate());
    }

    @Test
    void theAdminSocketReloadsAndTellsWhatCameOfIt() throws IOException {
        Path admin = directory.resolve("admin");
        GatewayProcess gateway = gateway(presenting(first).with("admin: unix:" + admin));
        replace(gateway, first.chainFile(), second.chainFile());
        replace(gateway, first.keyFile(), second.keyFile());

        ForeignResult done =
                Sluice.command("reload", "--admin", admin.toString()).run();
        assertThat(done.exitCode()).as(done.toString()).isZero();
        assertThat(done.output()).contains("reloaded " + gateway.config() + " (sluice reload): 1 listener,");
        assertThat(presented(gateway)).isEqualTo(second.certificate());
        assertThat(Sluice.command("certificates", "--admin", admin.toString())
                        .run()
                        .output())
                .contains("main", second.chainFile().toString());

        replace(gateway, second.keyFile(), first.keyFile());
        ForeignResult refused =
                Sluice.command("reload", "--admin", admin.toString()).run();
        assertThat(refused.exitCode()).as(refused.toString()).isEqualTo(2);
        assertThat(refused.errors())
                .contains("key does not fit certificate", first.keyFile().toString());
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
        return GatewaySetup.before(backend(Backend.echoing()), transport)
                .presenting(credential)
                .noticingChangesSoon();
    }

    private GatewaySetup serving(Path certificates) throws IOException {
        return presenting(first).certificate("{dir: " + certificates + "}");
    }

    private static void mount(Path secret, String version, Credential credential) throws IOException {
        Path content = Files.createDirectories(secret.resolve(version));
        Files.copy(credential.chainFile(), content.resolve("tls.crt"));
        Files.copy(credential.keyFile(), content.resolve("tls.key"));
        Path link = Files.createSymbolicLink(secret.resolve("..data_tmp"), Path.of(version));
        Files.move(link, secret.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    }

    private void certbot(Path live, int number, Credential credential) throws IOException {
        Path archive = Files.createDirectories(directory.resolve("archive/localhost"));
        Path chain = archive.resolve("fullchain" + number + ".pem");
        Path key = archive.resolve("privkey" + number + ".pem");
        Files.copy(credential.keyFile(), key);
        Files.copy(credential.chainFile(), chain);
        for (Path file : List.of(key, chain)) {
            Path link = live.resolve(file.getFileName().toString().replace(number + ".pem", ".pem"));
            Files.deleteIfExists(link);
            Files.createSymbolicLink(link, file);
        }
    }

    private static void copy(Credential credential, Path stem) throws IOException {
        Files.copy(credential.keyFile(), stem.resolveSibling(stem.getFileName() + ".key"));
        Files.copy(credential.chainFile(), stem.resolveSibling(stem.getFileName() + ".crt"));
    }

    private Credential linked() {
        return new Credential(directory.resolve("chain.pem"), directory.resolve("key.pem"), first.chain(), first.key());
    }

    private void link(Credential credential) throws IOException {
        link(credential.chainFile(), "chain.pem");
        link(credential.keyFile(), "key.pem");
    }

    /** Leads to a copy in the same directory, as at certbot's: JUnit warns of links that lead out of it. */
    private void link(Path file, String name) throws IOException {
        Path copy =
                Files.copy(file, Files.createTempDirectory(directory, "archive").resolve(name));
        Path link = Files.createSymbolicLink(directory.resolve(name + ".new"), copy);
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
