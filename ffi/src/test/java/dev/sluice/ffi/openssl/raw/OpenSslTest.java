package dev.sluice.ffi.openssl.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.openssl.BioPair;
import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.SelfSignedCertificate;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenSslTest {
    @RegisterExtension
    final NativeBalance<Map<String, Ledger.Balance>> balance =
            NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @TempDir
    Path directory;

    private @Nullable String configured;

    @BeforeEach
    void rememberProperty() {
        OpenSsl.require();
        configured = System.getProperty(OpenSsl.PROPERTY);
    }

    @AfterEach
    void restoreProperty() {
        if (configured == null) {
            System.clearProperty(OpenSsl.PROPERTY);
        } else {
            System.setProperty(OpenSsl.PROPERTY, configured);
        }
    }

    @Test
    void describesTheLoadedLibrary() {
        OpenSsl openSsl = OpenSsl.require();

        assertThat(openSsl.version()).matches("OpenSSL [34]\\..*");
        assertThat(openSsl.isAtLeast(3, 0)).isTrue();
        assertThat(openSsl.isAtLeast(9, 0)).isFalse();
        assertThat(Path.of(openSsl.libraryFile())).exists();
        assertThat(openSsl.describe()).contains(openSsl.version()).contains(openSsl.libraryFile());
        assertThat(OpenSsl.require()).isSameAs(openSsl);
    }

    @Test
    void usesTheConfiguredDirectory() {
        if (configured != null && !configured.isEmpty()) {
            assertThat(OpenSsl.require().libraryFile()).startsWith(configured);
        }
    }

    @Test
    void probesFeatures() {
        OpenSsl openSsl = OpenSsl.require();

        assertThat(openSsl.supportsGroup("X25519")).isTrue();
        assertThat(openSsl.supportsGroup("no-such-group")).isFalse();
        assertThat(openSsl.supportsGroup("X25519MLKEM768")).isEqualTo(openSsl.isAtLeast(3, 5));
        assertThat(openSsl.supportsGroupNames()).isEqualTo(openSsl.isAtLeast(3, 2));
        assertThat(ErrorQueue.drain()).isEmpty();
    }

    @Test
    void namesTheFilesMissingFromADirectory() throws IOException {
        Files.writeString(directory.resolve("libcrypto.so.4"), "without its libssl");
        System.setProperty(OpenSsl.PROPERTY, directory.toString());

        assertThatThrownBy(OpenSslLibraries::find)
                .isInstanceOf(OpenSslNotFoundException.class)
                .hasMessageContaining(directory + " holds no libcrypto.so.4 with libssl.so.4,"
                        + " and no libcrypto.so.3 with libssl.so.3")
                .hasMessageContaining(OpenSsl.PROPERTY)
                .hasMessageContaining(OpenSsl.ENVIRONMENT);
    }

    /**
     * Loads a file that is no library. The JVM then warns that it cannot determine whether the file needs an executable
     * stack.
     */
    @ParameterizedTest
    @CsvSource({"3, 3", "4, 4", "'3 4', 4"})
    void namesAFileThatIsNoLibraryOfTheNewestMajorVersion(String majors, String opened) throws IOException {
        for (String major : majors.split(" ", -1)) {
            Files.writeString(directory.resolve("libcrypto.so." + major), "not a library");
            Files.writeString(directory.resolve("libssl.so." + major), "not a library");
        }
        System.setProperty(OpenSsl.PROPERTY, directory.toString());

        assertThatThrownBy(OpenSslLibraries::find)
                .isInstanceOf(OpenSslNotFoundException.class)
                .hasMessageContaining("cannot be loaded")
                .hasMessageContaining(
                        directory.resolve("libcrypto.so." + opened).toString());
    }

    @Test
    void rejectsAnotherLibraryUnderTheName() throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "lib", "libjimage.so");
        Path fake = Files.copy(java, directory.resolve("libcrypto.so.3"));
        Files.copy(java, directory.resolve("libssl.so.3"));
        System.setProperty(OpenSsl.PROPERTY, directory.toString());

        assertThatThrownBy(OpenSsl::load)
                .isInstanceOf(OpenSslNotFoundException.class)
                .hasMessageContaining("not OpenSSL")
                .hasMessageContaining(fake.toString());
    }

    @Test
    void exceptionCarriesTheWholeErrorQueue() {
        byte[] damaged =
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".getBytes(StandardCharsets.US_ASCII);

        assertThatThrownBy(() -> X509.allFromPem(damaged)).isInstanceOfSatisfying(OpenSslException.class, e -> {
            assertThat(e.errors()).hasSizeGreaterThan(1);
            assertThat(e).hasMessageContaining(e.errors().getFirst().text());
            assertThat(e).hasMessageContaining(e.errors().getLast().text());
        });
        assertThat(ErrorQueue.drain()).isEmpty();
    }

    @Test
    void decodesAnError() {
        try (SslCtx context = SslCtx.server()) {
            assertThatThrownBy(() -> context.cipherList("NO-SUCH-SUITE"))
                    .isInstanceOfSatisfying(OpenSslException.class, e -> {
                        assertThat(e.has(OpenSslConstants.ERR_LIB_SSL, 185)).isTrue(); // SSL_R_NO_CIPHER_MATCH
                        assertThat(e.errors().getFirst().reasonText()).isEqualTo("no cipher match");
                    });
        }
    }

    @Test
    void freesAHandleOnceAndRejectsLaterUse() {
        SslCtx context = SslCtx.server();
        assertThat(Ledger.process().account("SSL_CTX").liveCount()).isPositive();
        context.close();
        context.close();

        assertThat(context.isClosed()).isTrue();
        assertThatThrownBy(context::address)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("SSL_CTX");
    }

    @Test
    void failedSetterLeavesTheQueueEmpty() {
        assertThatThrownBy(() -> new BioPair(-1)).isInstanceOf(OpenSslException.class);
        assertThatThrownBy(() -> EvpPkey.generateElliptic("no-such-curve")).isInstanceOf(OpenSslException.class);
        try (EvpPkey key = EvpPkey.generateElliptic("P-256")) {
            assertThatThrownBy(() -> SelfSignedCertificate.make(key, "name", List.of("1.2.3"), Duration.ofDays(1)))
                    .isInstanceOf(OpenSslException.class);
        }
    }

    /** The end is the last second that a certificate can name: one later, when the clock ticks, and there is none. */
    @Test
    void makesTimelessCertificatesWhileTheClockTicks() {
        try (EvpPkey key = EvpPkey.generateElliptic("P-256")) {
            long start = System.currentTimeMillis() / 1000;
            while (System.currentTimeMillis() / 1000 < start + 2) {
                try (X509 certificate = SelfSignedCertificate.timeless(key, "name");
                        X509 copy = certificate.copy()) {
                    assertThat(copy.notBefore()).isEqualTo("Jan  1 00:00:00 1970 GMT");
                    assertThat(copy.notAfter()).isEqualTo("Dec 31 23:59:59 9999 GMT");
                }
            }
        }
    }

    @Test
    void freesAPairThatWasNeverAttached() {
        new BioPair(20_000).close();

        assertThat(Ledger.process().account("BIO pair").liveBytes()).isZero();
    }
}
