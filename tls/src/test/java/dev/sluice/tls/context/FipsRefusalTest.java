package dev.sluice.tls.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.ForeignCommand;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the lean handshake is refused in a process whose OpenSSL must use its FIPS provider. */
final class FipsRefusalTest {
    private static final String CONFIGURATION = """
            openssl_conf = main
            [main]
            alg_section = algorithms
            [algorithms]
            default_properties = fips=yes
            """;

    /** The program that tries: its arguments are the files of a chain and its key, and a path. */
    static final class Trial {
        private Trial() {}

        public static void main(String[] files) {
            try {
                TlsContext.server()
                        .certificate(Path.of(files[0]), Path.of(files[1]))
                        .handshake(HandshakePath.valueOf(files[2]))
                        .build()
                        .close();
                System.out.println("not refused");
            } catch (TlsConfigurationException e) {
                System.out.println("refused: " + e.getMessage());
            }
        }
    }

    @Test
    void namesTheRemedy(@TempDir Path directory) throws IOException {
        Path configuration = Files.writeString(directory.resolve("openssl.cnf"), CONFIGURATION);
        assertThat(trial(HandshakePath.LEAN)
                        .with("OPENSSL_CONF", configuration.toString())
                        .run()
                        .output())
                .startsWith("refused: ")
                .contains("FIPS", "set handshake to libssl");
    }

    /** Without a wish of the configuration libssl does the handshakes: the message says only what fips=yes lacks. */
    @Test
    void isNotMadeByDefault(@TempDir Path directory) throws IOException {
        Path configuration = Files.writeString(directory.resolve("openssl.cnf"), CONFIGURATION);
        assertThat(trial(HandshakePath.AUTO)
                        .with("OPENSSL_CONF", configuration.toString())
                        .run()
                        .output())
                .doesNotContain("set handshake to libssl");
    }

    @Test
    void isNotMadeWithoutANeed() {
        assertThat(trial(HandshakePath.LEAN).run().output()).startsWith("not refused");
    }

    private static ForeignCommand trial(HandshakePath path) {
        List<String> arguments = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED"));
        String openssl = System.getProperty("sluice.openssl", "");
        if (!openssl.isEmpty()) {
            arguments.add("-Dsluice.openssl=" + openssl);
        }
        arguments.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path") + ":" + System.getProperty("jdk.module.path", ""),
                Trial.class.getName(),
                TestCertificates.shared().server().chainFile().toString(),
                TestCertificates.shared().server().keyFile().toString(),
                path.name()));
        return ForeignProgram.at(Path.of(System.getProperty("java.home"), "bin", "java"))
                .command(arguments.toArray(String[]::new));
    }
}
