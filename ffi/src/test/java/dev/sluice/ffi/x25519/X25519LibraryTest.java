package dev.sluice.ffi.x25519;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.ffi.x25519.X25519Library.Standing;
import dev.sluice.testkit.ForeignProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the search for a library, with libraries of either interface that the C compiler makes over OpenSSL. */
final class X25519LibraryTest {
    private static final String ABSENT = "libabsent-x25519.so.1";

    /** X25519 of both interfaces; WRONG_SECRET and WRONG_PUBLIC change one bit of a result. */
    private static final String SOURCE = """
            #include <stddef.h>
            extern void *EVP_PKEY_new_raw_private_key(int, void *, const unsigned char *, size_t);
            extern void *EVP_PKEY_new_raw_public_key(int, void *, const unsigned char *, size_t);
            extern int EVP_PKEY_get_raw_public_key(void *, unsigned char *, size_t *);
            extern void *EVP_PKEY_CTX_new(void *, void *);
            extern int EVP_PKEY_derive_init(void *), EVP_PKEY_derive_set_peer(void *, void *);
            extern int EVP_PKEY_derive(void *, unsigned char *, size_t *);
            extern void EVP_PKEY_free(void *), EVP_PKEY_CTX_free(void *);
            extern int RAND_bytes(unsigned char *, int);
            int X25519(unsigned char *out, const unsigned char *secret, const unsigned char *peer) {
                size_t length = 32;
                void *ours = EVP_PKEY_new_raw_private_key(1034, 0, secret, 32);
                void *theirs = EVP_PKEY_new_raw_public_key(1034, 0, peer, 32);
                void *context = EVP_PKEY_CTX_new(ours, 0);
                int done = EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, theirs) == 1
                        && EVP_PKEY_derive(context, out, &length) == 1;
                if (!done)
                    for (int i = 0; i < 32; i++) out[i] = 0;
            #ifdef WRONG_SECRET
                out[31] ^= 1;
            #endif
                EVP_PKEY_CTX_free(context);
                EVP_PKEY_free(theirs);
                EVP_PKEY_free(ours);
                return done;
            }
            void X25519_public_from_private(unsigned char *out, const unsigned char *secret) {
                size_t length = 32;
                void *ours = EVP_PKEY_new_raw_private_key(1034, 0, secret, 32);
                EVP_PKEY_get_raw_public_key(ours, out, &length);
                EVP_PKEY_free(ours);
            #ifdef WRONG_PUBLIC
                out[0] ^= 1;
            #endif
            }
            #ifdef LIB25519
            void lib25519_dh_x25519_keypair(unsigned char *out, unsigned char *secret) {
                RAND_bytes(secret, 32);
            #ifdef SAME_SECRET
                for (int i = 0; i < 32; i++) secret[i] = 7;
            #endif
                X25519_public_from_private(out, secret);
            }
            #endif
            #if defined(LIB25519) && !defined(HALF)
            void lib25519_dh_x25519(unsigned char *out, const unsigned char *peer, const unsigned char *secret) {
                X25519(out, secret, peer);
            }
            #endif
            """;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"LIB25519", "AWS_LC"})
    void usesLibraryOfEitherInterface(String flavor) throws IOException {
        Path file = compiled(flavor);
        X25519Library found = X25519Library.find(file.toString(), ABSENT);
        assertThat(found.standing()).as(found.description()).isEqualTo(Standing.USED);
        assertThat(found.function()).isInstanceOf(flavor.equals("LIB25519") ? Lib25519.class : AwsLc.class);
        assertThat(found.description()).isEqualTo("X25519 by " + file);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LIB25519 WRONG_SECRET",
                "LIB25519 WRONG_PUBLIC",
                "LIB25519 SAME_SECRET",
                "AWS_LC WRONG_SECRET",
                "AWS_LC WRONG_PUBLIC"
            })
    void refusesLibraryWithWrongAnswers(String flavors) throws IOException {
        X25519Library found = X25519Library.find(compiled(flavors.split(" ")).toString(), ABSENT);
        assertThat(found.standing()).isEqualTo(Standing.REFUSED);
        assertThat(found.function()).isNull();
        assertThat(found.description()).contains("fails the known answers of RFC 7748");
    }

    @Test
    void refusesLibraryWithoutFunctions() throws IOException {
        X25519Library found = X25519Library.find(compiled("LIB25519", "HALF").toString(), ABSENT);
        assertThat(found.standing()).isEqualTo(Standing.REFUSED);
        assertThat(found.description()).contains("lacks functions of X25519");
    }

    @Test
    void refusesNamedFileThatIsNoLibrary() throws IOException {
        Path text = Files.writeString(directory.resolve("text.so"), "no library");
        X25519Library found = X25519Library.find(text.toString(), ABSENT);
        assertThat(found.standing()).isEqualTo(Standing.REFUSED);
        assertThat(found.description()).contains("sluice.x25519 names " + text);
    }

    @Test
    void leavesX25519ToOpenSslWithoutLibrary() {
        assertThat(X25519Library.find(null, ABSENT))
                .isEqualTo(new X25519Library(
                        Standing.UNUSED, null, "X25519 by OpenSSL (" + ABSENT + " is not installed)"));
        assertThat(X25519Library.find("OpenSSL", ABSENT).standing()).isEqualTo(Standing.UNUSED);
    }

    private Path compiled(String... flavors) throws IOException {
        ForeignProgram compiler = ForeignProgram.required("cc", "gcc libc6-dev");
        Path source = Files.writeString(directory.resolve("x25519.c"), SOURCE);
        Path library = directory.resolve(String.join("-", flavors) + ".so");
        // OpenSSL by its name: the loader takes the one that is open already.
        Path openssl = Path.of(mappedLibcrypto());
        List<String> arguments = new ArrayList<>(List.of(
                "-shared", "-fPIC", "-Wl,-Bsymbolic", "-o", library.toString(), source.toString(), openssl.toString()));
        for (String flavor : flavors) {
            arguments.add("-D" + flavor);
        }
        compiler.command(arguments.toArray(String[]::new)).run().expectSuccess();
        return library;
    }

    private static String mappedLibcrypto() throws IOException {
        OpenSsl.require();
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.matches(".*/libcrypto\\.so\\.[34]"))
                    .map(line -> line.substring(line.indexOf('/')))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
