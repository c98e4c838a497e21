package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.Security;
import java.security.cert.X509Certificate;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Private keys of a PKCS #11 token: NSS's, in software, through the JDK's provider SunPKCS11. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#all")
final class EnginePkcs11KeysTest {
    private static final List<String> LIBRARIES =
            List.of("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib");

    private static @Nullable Provider token;
    private static List<Credential> credentials = List.of();

    private final ProviderPair pair;

    EnginePkcs11KeysTest(ProviderPair pair) {
        this.pair = pair;
    }

    @BeforeAll
    static void open(@TempDir Path directory) throws IOException, GeneralSecurityException {
        String libraries = LIBRARIES.stream()
                .filter(each -> Files.exists(Path.of(each, "libsoftokn3.so")))
                .findFirst()
                .orElse(null);
        if (libraries == null) {
            ForeignProgram.absent("libsoftokn3.so is not installed; install the package libnss3");
            return;
        }
        Path settings = Files.writeString(directory.resolve("token.cfg"), """
                name = Token
                nssLibraryDirectory = %s
                nssDbMode = noDb
                attributes(generate, CKO_PRIVATE_KEY, *) = {
                  CKA_SENSITIVE = true
                  CKA_EXTRACTABLE = false
                }
                """.formatted(libraries));
        Provider opened = Security.getProvider("SunPKCS11").configure(settings.toString());
        Security.addProvider(opened);
        token = opened;
        credentials = List.of(
                generate(opened, "EC", new ECGenParameterSpec("secp256r1")),
                generate(opened, "RSA", new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4)));
    }

    /** Returns a credential of the token; its files are those of another one, and are not read. */
    private static Credential generate(Provider provider, String algorithm, AlgorithmParameterSpec parameters)
            throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm, provider);
        generator.initialize(parameters);
        KeyPair keys = generator.generateKeyPair();
        assertThat(keys.getPrivate().getEncoded()).isNull();
        X509Certificate certificate =
                JsseContexts.AUTHORITY.certify(CertificateRequest.named("token-" + algorithm), keys.getPublic());
        Credential other = JsseContexts.AUTHORITY.server();
        return new Credential(other.chainFile(), other.keyFile(), List.of(certificate), keys.getPrivate());
    }

    @AfterAll
    static void close() {
        if (token != null) {
            Security.removeProvider(token.getName());
        }
    }

    @Test
    void signForServersAndClients() throws SSLException {
        for (Credential each : credentials) {
            EngineLink link = pair.link(contextOf(pair.client(), each), contextOf(pair.server(), each));
            link.server().engine().setNeedClientAuth(true);
            link.handshake().assertCarriesData();
            for (EnginePeer end : List.of(link.client(), link.server())) {
                assertThat(end.engine().getSession().getPeerCertificates()[0]).isEqualTo(each.certificate());
            }
        }
    }

    private static SSLContext contextOf(JsseProvider provider, Credential credential) {
        return provider.context(new KeyManager[] {new RotatingKeyManager(credential)}, JsseContexts.trust());
    }
}
