package dev.sluice.gateway.ech;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.EchConfig;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the rotation of keys for Encrypted ClientHello. */
class EchKeySetTest {
    private static final Duration DAY = Duration.ofDays(1);

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @TempDir
    Path directory;

    private final List<String> lines = new ArrayList<>();
    private Instant now = Instant.parse("2026-11-25T22:03:12Z");

    @BeforeEach
    void requireSupport() {
        Assumptions.assumeTrue(OpenSsl.require().supportsEncryptedHello(), "needs OpenSSL 4");
    }

    @Test
    void makesAKeyThatOnlyItsOwnerReads() throws IOException {
        try (EchKeySet keys = keys(DAY, 3)) {
            keys.refresh();

            assertThat(files()).containsExactly("ech-20261125T220312Z.pem");
            Path file = directory.resolve("ech-20261125T220312Z.pem");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            EchStatus status = Objects.requireNonNull(keys.status());
            assertThat(status.publicName()).isEqualTo("gateway.example.com");
            assertThat(status.since()).isEqualTo(now);
            assertThat(Files.readString(file).replaceAll("\\s", "")).contains(status.configuration());
            assertThat(keys.ring().generation()).isEqualTo(1);
        }
    }

    @Test
    void rotatesByAgeAndKeepsSome() throws IOException {
        try (EchKeySet keys = keys(DAY, 2)) {
            keys.refresh();
            now = now.plus(DAY).minusSeconds(1);
            keys.refresh();
            assertThat(files()).hasSize(1);
            assertThat(keys.ring().generation()).isEqualTo(1);

            for (int i = 0; i < 3; i++) {
                now = now.plus(DAY);
                keys.refresh();
            }

            assertThat(files()).containsExactly("ech-20261128T220311Z.pem", "ech-20261129T220311Z.pem");
            assertThat(Objects.requireNonNull(keys.status()).keys()).isEqualTo(2);
        }
    }

    @Test
    void neverDeletesWhatItDidNotMake() throws IOException {
        try (EchKeySet keys = keys(DAY, 1)) {
            keys.refresh();
            Path foreign = directory.resolve("a.pem");
            Files.move(directory.resolve("ech-20261125T220312Z.pem"), foreign);
            Files.setLastModifiedTime(foreign, FileTime.from(now)); // the machine's clock is another
            now = now.plus(DAY).plus(DAY);
            keys.refresh();

            assertThat(files()).contains("a.pem").hasSize(2);
            assertThat(Objects.requireNonNull(keys.status()).keys()).isEqualTo(1);
        }
    }

    @Test
    void keepsTheKeysWhenAFileIsDamaged() throws IOException {
        try (EchKeySet keys = keys(Duration.ZERO, 3);
                EchKeySet maker = keys(DAY, 3)) {
            maker.refresh();
            keys.refresh();
            lines.clear();
            Files.writeString(directory.resolve("z.pem"), "-----BEGIN ECHCONFIG-----\nAAAA\n-----END ECHCONFIG-----\n");

            keys.refresh();
            keys.refresh();

            assertThat(lines).hasSize(1).first().asString().contains("z.pem is no ECH key file", "current keys stay");
            assertThat(keys.failures()).isEqualTo(2);
            assertThat(keys.ring().generation()).isEqualTo(1);

            Files.delete(directory.resolve("z.pem"));
            keys.refresh();
            assertThat(lines).last().asString().contains("refreshed again");
        }
    }

    /** A rotation reads all files, and a start only those that are kept. */
    @Test
    void installsUsableKeysThoughARotationFails() throws IOException {
        try (EchKeySet maker = keys(DAY, 1)) {
            maker.refresh();
        }
        Files.writeString(directory.resolve("a.pem"), "no key");
        now = now.plus(DAY);
        lines.clear();
        try (EchKeySet keys = keys(DAY, 1)) {
            keys.refresh();

            assertThat(Objects.requireNonNull(keys.status()).keys()).isEqualTo(1);
            assertThat(keys.failures()).isEqualTo(1);
            assertThat(lines).last().asString().contains("a.pem is no ECH key file", "current keys stay");
        }
    }

    @Test
    void makesAKeyForAnotherPublicName() throws IOException {
        try (EchKeySet keys = keys(DAY, 3)) {
            keys.refresh();
        }
        now = now.plusSeconds(1);
        EchConfig renamed = new EchConfig("front.example.com", directory, DAY, 3);
        try (EchKeySet keys = new EchKeySet(renamed, () -> now, log())) {
            keys.refresh();

            assertThat(Objects.requireNonNull(keys.status()).publicName()).isEqualTo("front.example.com");
            assertThat(files()).hasSize(2);
        }
    }

    @Test
    void startsWithoutKeysOnlyWhereItMakesThem() {
        try (EchKeySet keys = keys(Duration.ZERO, 3)) {
            keys.refresh();

            assertThat(keys.status()).isNull();
            assertThat(keys.notStarted()).hasMessageContaining("holds no file *.pem");
        }
    }

    private EchKeySet keys(Duration rotate, int keep) {
        return new EchKeySet(new EchConfig("gateway.example.com", directory, rotate, keep), () -> now, log());
    }

    private EchLog log() {
        return new EchLog() {
            @Override
            public void info(String line) {
                lines.add(line);
            }

            @Override
            public void warn(String line) {
                lines.add(line);
            }
        };
    }

    private List<String> files() throws IOException {
        try (var entries = Files.list(directory)) {
            return entries.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
