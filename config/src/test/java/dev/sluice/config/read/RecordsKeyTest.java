package dev.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.certificate.AgreeingTlsCheck;
import dev.sluice.config.model.RecordProtection;
import dev.sluice.config.yaml.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the key {@code records} of listeners. */
class RecordsKeyTest {
    private static final TlsCheck WITHOUT_KERNEL_TLS = new AgreeingTlsCheck() {
        @Override
        public @Nullable String kernelRecordsProblem() {
            return "records is kernel, but the kernel lacks TLS; modprobe tls";
        }
    };

    @TempDir
    Path directory;

    @BeforeEach
    void writeFiles() throws IOException {
        ConfigSamples.writeFiles(directory);
    }

    @ParameterizedTest
    @CsvSource({"'',DIRECT", "', records: direct',DIRECT", "', records: auto',AUTO", "', records: kernel',KERNEL"})
    void readsTheChoice(String key, RecordProtection expected) throws Exception {
        assertThat(read(key, new AgreeingTlsCheck())).isEqualTo(expected);
    }

    @Test
    void refusesKernelWhereTheKernelLacksTls() {
        assertThatThrownBy(() -> read(", records: kernel", WITHOUT_KERNEL_TLS))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("sluice.yaml:2:")
                .hasMessageContaining("modprobe tls");
    }

    @ParameterizedTest
    @CsvSource({"auto,AUTO", "direct,DIRECT"})
    void startsWithoutKernelTlsWhereNothingInsists(String value, RecordProtection expected) throws Exception {
        assertThat(read(", records: " + value, WITHOUT_KERNEL_TLS)).isEqualTo(expected);
    }

    private RecordProtection read(String key, TlsCheck check) throws ConfigException, IOException {
        String yaml = ConfigSamples.MINIMAL.replace("backend: web}", "backend: web" + key + "}");
        Path file = Files.writeString(directory.resolve("sluice.yaml"), yaml);
        return ConfigFile.read(file, check).listeners().getFirst().tls().records();
    }
}
