package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests of the lean handshake without memory: each allocation that OpenSSL makes for a server's handshake fails once.
 * The handshake then completes, or fails with a clear reason and an alert that the client can read; nothing is leaked,
 * and the next handshake completes. The same for key updates.
 */
final class AllocationFailureTest {
    /** Outcomes in alphabetical order; OpenSSL 3.0 does not always name the want of memory as its cause. */
    private static final String OUTCOME = "(X25519|P-256) (full|resumed) \\{(FULL=\\d+, )?"
            + "((OPENSSL_ERROR|OUT_OF_MEMORY), client ALERT_RECEIVED_INTERNAL_ERROR=\\d+(, )?)+(RESUMED=\\d+)?}"
            + " leaked 0";

    /** A key is updated where only the wiping of the last one fails. */
    private static final String KEY_UPDATE = "key update \\{THREW=\\d+, UPDATED=\\d+}";

    /** For an OpenSSL that is slowed down by its checkers: tools/sanitizers/run. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @Test
    @Timeout(value = 11, unit = TimeUnit.MINUTES)
    void survivesEachFailedAllocation() {
        Assumptions.assumeTrue(FailingAllocator.isSupported());
        Credential credential = TestCertificates.shared().server();
        String openssl = System.getProperty("sluice.openssl", "");
        List<String> arguments = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED"));
        if (!openssl.isEmpty()) {
            arguments.add("-Dsluice.openssl=" + openssl);
        }
        arguments.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path") + ":" + System.getProperty("jdk.module.path", ""),
                AllocationFailureTrial.class.getName(),
                credential.chainFile().toString(),
                credential.keyFile().toString(),
                TestCertificates.shared().rootFile().toString(),
                OpenSsl.require().libcryptoFile()));
        ForeignResult result = ForeignProgram.at(Path.of(System.getProperty("java.home"), "bin", "java"))
                .command(arguments.toArray(String[]::new))
                .within(LIMIT)
                .run();
        assertThat(result.output().lines())
                .as(result.errors())
                .hasSize(5)
                .allSatisfy(line -> assertThat(line).matches(OUTCOME + "|" + KEY_UPDATE));
    }
}
