package dev.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.lint.AddressLint;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.yaml.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@code allow}, {@code deny} and {@code log} as configured. */
class AddressRulesReaderTest {
    @TempDir
    private Path directory = Path.of("");

    @BeforeEach
    void writeFiles() throws IOException {
        ConfigSamples.writeFiles(directory);
    }

    @Test
    void readsRangesAndSingleAddresses() throws Exception {
        assertThat(listener("allow: [10.0.0.0/8, \"fd00::/8\"], deny: 10.0.0.13")
                        .listeners()
                        .getFirst()
                        .acceptPolicy()
                        .addresses())
                .hasToString("AddressRules[allow=[10.0.0.0/8, fd00::/8], deny=[10.0.0.13]]");
    }

    @Test
    void refusesTextThatIsNoRange() {
        assertThatThrownBy(() -> listener("deny: [10.0.0.0/33]"))
                .hasMessageContaining(
                        "deny: \"10.0.0.0/33\" is not a range of addresses; write for example 10.0.0.0/8");
    }

    @Test
    void refusesListsThatLetNobodyIn() {
        assertThatThrownBy(() -> listener("allow: [10.1.0.0/16, 10.2.0.7], deny: 10.0.0.0/8"))
                .hasMessageContaining("deny has every address that allow has");
    }

    @Test
    void reportsAddressesThatDecideNothing() throws Exception {
        List<String> findings = AddressLint.of(listener("allow: [10.0.0.0/8, 10.1.0.0/16, 192.0.2.0/24],"
                + " deny: [198.51.100.0/24, 10.0.0.1, 10.0.0.1, 172.16.0.0/12]"));

        assertThat(findings)
                .satisfiesExactly(
                        finding -> assertThat(finding).contains("allow 10.1.0.0/16 is part of 10.0.0.0/8"),
                        finding -> assertThat(finding).contains("deny 10.0.0.1 is part of 10.0.0.1"),
                        finding -> assertThat(finding).contains("deny 198.51.100.0/24 refuses nobody"),
                        finding -> assertThat(finding).contains("deny 172.16.0.0/12 refuses nobody"));
        assertThat(AddressLint.of(listener("allow: [10.0.0.0/8, 192.0.2.7], deny: 192.0.2.0/24")))
                .singleElement()
                .asString()
                .contains("allow 192.0.2.7 serves nobody, since deny 192.0.2.0/24 counts first");
        assertThat(AddressLint.of(listener("allow: 10.0.0.0/8, deny: 10.0.0.0/16")))
                .isEmpty();
    }

    @Test
    void refusesASocketOfTheLogWithoutADaemon() {
        assertThatThrownBy(() -> read(ConfigSamples.MINIMAL + "log: {socket: /dev/log}\n"))
                .hasMessageContaining("socket is for the targets syslog and journald; add target, or remove socket");
    }

    @Test
    void refusesASocketThatIsTooLong() {
        assertThatThrownBy(
                        () -> read(ConfigSamples.MINIMAL + "log: {target: syslog, socket: /" + "x".repeat(107) + "}\n"))
                .hasMessageContaining("has 108 bytes; a Unix socket's path has at most 107");
    }

    private GatewayConfig listener(String keys) throws ConfigException, IOException {
        return read(ConfigSamples.MINIMAL.replace("backend: web}", "backend: web, " + keys + "}"));
    }

    private GatewayConfig read(String text) throws ConfigException, IOException {
        return ConfigSamples.read(directory, text, Map.of()).config();
    }
}
