package dev.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.certificate.AgreeingTlsCheck;
import dev.sluice.config.model.EchConfig;
import dev.sluice.config.yaml.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the section {@code ech} of listeners. */
class EchReaderTest {
    @TempDir
    Path directory;

    @BeforeEach
    void writeFiles() throws IOException {
        ConfigSamples.writeFiles(directory);
    }

    @Test
    void readsDefaults() throws Exception {
        assertThat(ech("public-name: LocalHost., directory: keys"))
                .isEqualTo(new EchConfig("localhost", directory.resolve("keys"), Duration.ofDays(7), 3));
    }

    @Test
    void rotatesNothingWhereItIsOff() throws Exception {
        EchConfig ech = ech("public-name: localhost, directory: keys, rotate: off, keep: 1");

        assertThat(ech.rotates()).isFalse();
        assertThat(ech.keep()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "directory: keys; ech lacks the key \"public-name\"",
                "public-name: localhost; ech lacks the key \"directory\"",
                "public-name: other.example.com, directory: keys; no certificate of the listener covers",
                "public-name: \"*.example.com\", directory: keys; write a host name",
                "public-name: localhost, directory: absent; absent does not exist",
                "public-name: localhost, directory: keys, rotate: 1s; it must be from 1m to 366d",
                "public-name: localhost, directory: keys, keep: 0; write a whole number from 1 to 16",
            })
    void namesAMistake(String keys, String message) {
        assertThatThrownBy(() -> ech(keys)).isInstanceOf(ConfigException.class).hasMessageContaining(message);
    }

    @Test
    void namesALibraryWithoutIt() {
        TlsCheck old = new AgreeingTlsCheck() {
            @Override
            public @Nullable String encryptedHelloProblem() {
                return "ech needs OpenSSL 4.0 or later";
            }
        };

        assertThatThrownBy(() -> read("public-name: localhost, directory: keys", old))
                .hasMessageContaining("sluice.yaml:2:")
                .hasMessageContaining("ech needs OpenSSL 4.0 or later");
    }

    private EchConfig ech(String keys) throws ConfigException, IOException {
        return read(keys, new AgreeingTlsCheck());
    }

    private EchConfig read(String keys, TlsCheck check) throws ConfigException, IOException {
        String yaml = ConfigSamples.MINIMAL.replace("backend: web}", "backend: web, ech: {" + keys + "}}");
        Path file = Files.writeString(directory.resolve("sluice.yaml"), yaml);
        EchConfig ech =
                ConfigFile.read(file, check).listeners().getFirst().tls().ech();
        return Objects.requireNonNull(ech);
    }
}
