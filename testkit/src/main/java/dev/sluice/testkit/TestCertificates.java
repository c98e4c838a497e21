package dev.sluice.testkit;

import dev.sluice.testkit.CertificateRequest.KeyAlgorithm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A temporary certificate authority that writes its certificates as PEM files into a directory, deleted when the
 * process ends. It uses Bouncy Castle, so that OpenSSL is tested against certificates of another implementation.
 *
 * <p>Thread-safe. Equal requests return the same credential, since RSA keys are slow to generate.
 */
public final class TestCertificates {
    private static final TestCertificates SHARED = new TestCertificates();
    private static final ExtendedKeyUsage SERVER_AND_CLIENT =
            new ExtendedKeyUsage(new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth});

    private final Path directory;
    private final Issuer root;
    private final Issuer intermediate;
    private final Path rootFile;
    private final AtomicLong serial = new AtomicLong(1000);
    private final Map<String, Credential> issued = new ConcurrentHashMap<>();
    private final Map<String, Integer> filesByName = new ConcurrentHashMap<>();

    private record Issuer(X509Certificate certificate, PrivateKey key) {}

    /** Creates an authority that is trusted by its own clients only. */
    public TestCertificates() {
        this.directory = temporaryDirectory();
        // A unique name, so that it is not mistaken for another authority's.
        this.root = selfSigned("Sluice Test Root " + directory.getFileName());
        this.intermediate = intermediateOf(root);
        this.rootFile = writePem("root.pem", List.of(root.certificate()));
    }

    /** Returns the authority that the tests of one process share. */
    public static TestCertificates shared() {
        return SHARED;
    }

    /** Returns the directory of the files. */
    public Path directory() {
        return directory;
    }

    /** Returns the PEM file of the root certificate, for clients to trust. */
    public Path rootFile() {
        return rootFile;
    }

    /** Returns the root certificate. */
    public X509Certificate rootCertificate() {
        return root.certificate();
    }

    /**
     * Returns the intermediate authority, which signs revocable certificates, as PEM files of its certificate and key.
     */
    public Credential intermediateAuthority() {
        return issued.computeIfAbsent(
                "the intermediate authority",
                name -> new Credential(
                        writePem("intermediate.pem", List.of(intermediate.certificate())),
                        writeKey("intermediate.key", intermediate.key()),
                        List.of(intermediate.certificate()),
                        intermediate.key()));
    }

    /**
     * Returns a signer of OCSP responses for the intermediate authority, authorized (RFC 6960 section 4.2.2.2) or not.
     *
     * @param allowed true for a certificate with id-kp-OCSPSigning
     */
    public Credential ocspSigner(boolean allowed) {
        return issued.computeIfAbsent("ocsp-signer-" + allowed, name -> {
            KeyPair pair = keyPair(KeyAlgorithm.ECDSA_P256);
            KeyPurposeId purpose = allowed ? KeyPurposeId.id_kp_OCSPSigning : KeyPurposeId.id_kp_serverAuth;
            X509Certificate certificate =
                    sign(CertificateRequest.named(name), pair.getPublic(), intermediate, new ExtendedKeyUsage(purpose));
            return new Credential(
                    writePem(name + ".pem", List.of(certificate)),
                    writeKey(name + ".key", pair.getPrivate()),
                    List.of(certificate),
                    pair.getPrivate());
        });
    }

    /** Returns a server certificate for localhost, 127.0.0.1 and ::1, ECDSA P-256. */
    public Credential server() {
        return issue(CertificateRequest.named("server"));
    }

    /** Returns a server certificate with an RSA key of 2,048 bits. */
    public Credential serverRsa() {
        return issue(CertificateRequest.named("server-rsa").with(KeyAlgorithm.RSA_2048));
    }

    /** Returns a server certificate signed by an intermediate authority, which the chain file includes. */
    public Credential serverWithIntermediate() {
        return issue(CertificateRequest.named("server-chained").viaIntermediate());
    }

    /** Returns a server certificate for localhost that expired yesterday. */
    public Credential expiredServer() {
        return issue(CertificateRequest.named("server-expired").valid(-30, -1));
    }

    /** Returns a server certificate for other.example instead of localhost. */
    public Credential wrongHostServer() {
        return issue(CertificateRequest.named("server-wrong-host").forHosts("other.example"));
    }

    /** Returns a client certificate. */
    public Credential client() {
        return issue(CertificateRequest.named("client").forHosts("client.example"));
    }

    /** Returns the PEM file of the intermediate authority's certificate. */
    public Path intermediateFile() {
        return writePem("intermediate.pem", List.of(intermediate.certificate()));
    }

    /**
     * Returns a revocation list of the root as PEM text.
     *
     * @param nextUpdate its expiry
     * @param revoked the revoked certificates
     */
    public String revocationList(Instant nextUpdate, X509Certificate... revoked) {
        return revocationList(root, nextUpdate, List.of(revoked));
    }

    /** Returns a revocation list of the intermediate authority as PEM text. */
    public String intermediateRevocationList(Instant nextUpdate, X509Certificate... revoked) {
        return revocationList(intermediate, nextUpdate, List.of(revoked));
    }

    private static String revocationList(Issuer issuer, Instant nextUpdate, List<X509Certificate> revoked) {
        Instant yesterday = Instant.now().minus(Duration.ofDays(1));
        Instant made = nextUpdate.isAfter(yesterday) ? yesterday : nextUpdate.minus(Duration.ofDays(1));
        try {
            JcaX509v2CRLBuilder builder =
                    new JcaX509v2CRLBuilder(issuer.certificate().getSubjectX500Principal(), Date.from(made));
            builder.setNextUpdate(Date.from(nextUpdate));
            for (X509Certificate each : revoked) {
                builder.addCRLEntry(each.getSerialNumber(), Date.from(made), CRLReason.keyCompromise);
            }
            ContentSigner signer = new JcaContentSignerBuilder("SHA256withECDSA").build(issuer.key());
            return pem("X509 CRL", builder.build(signer).getEncoded());
        } catch (OperatorCreationException | IOException e) {
            throw new IllegalStateException("the JDK cannot sign a revocation list", e);
        }
    }

    /**
     * Issues a certificate, or returns the earlier one for the same name, key type, hosts, issuer and extensions; its
     * validity may differ.
     */
    public Credential issue(CertificateRequest request) {
        return issued.computeIfAbsent(kind(request), kind -> issueNow(request));
    }

    private static String kind(CertificateRequest request) {
        return request.name()
                + ' '
                + request.algorithm()
                + ' '
                + request.hosts()
                + ' '
                + request.throughIntermediate()
                + ' '
                + new TreeSet<>(request.extensions().keySet());
    }

    /** Returns the file name stem for a certificate name; later certificates of the same name get a number suffix. */
    private String fileStem(String name) {
        int before = filesByName.merge(name, 1, Integer::sum) - 1;
        return before == 0 ? name : name + '-' + before;
    }

    /** Issues a certificate for a key that does not leave its provider, signed by the root. */
    public X509Certificate certify(CertificateRequest request, PublicKey key) {
        return sign(request, key, root, SERVER_AND_CLIENT);
    }

    private Credential issueNow(CertificateRequest request) {
        KeyPair pair = keyPair(request.algorithm());
        Issuer issuer = request.throughIntermediate() ? intermediate : root;
        X509Certificate certificate = sign(request, pair.getPublic(), issuer, SERVER_AND_CLIENT);
        List<X509Certificate> chain =
                request.throughIntermediate() ? List.of(certificate, issuer.certificate()) : List.of(certificate);
        String stem = fileStem(request.name());
        Path chainFile = writePem(stem + ".pem", chain);
        Path keyFile = writeKey(stem + ".key", pair.getPrivate());
        return new Credential(chainFile, keyFile, chain, pair.getPrivate());
    }

    private X509Certificate sign(CertificateRequest request, PublicKey key, Issuer issuer, ExtendedKeyUsage usage) {
        try {
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    issuer.certificate().getSubjectX500Principal(),
                    BigInteger.valueOf(serial.incrementAndGet()),
                    Date.from(request.notBefore()),
                    Date.from(request.notAfter()),
                    new X500Principal("CN=" + request.name()),
                    key);
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(Extension.extendedKeyUsage, false, usage);
            builder.addExtension(Extension.subjectAlternativeName, false, alternativeNames(request.hosts()));
            for (Map.Entry<String, byte[]> extension : request.extensions().entrySet()) {
                builder.addExtension(new ASN1ObjectIdentifier(extension.getKey()), false, extension.getValue());
            }
            return finish(builder, issuer.key());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static GeneralNames alternativeNames(List<String> names) {
        return new GeneralNames(
                names.stream().map(name -> new GeneralName(kind(name), name)).toArray(GeneralName[]::new));
    }

    private static int kind(String name) {
        if (name.contains("://")) {
            return GeneralName.uniformResourceIdentifier;
        }
        if (name.contains("@")) {
            return GeneralName.rfc822Name;
        }
        return isAddress(name) ? GeneralName.iPAddress : GeneralName.dNSName;
    }

    private static boolean isAddress(String host) {
        return host.contains(":") || host.chars().allMatch(c -> c == '.' || Character.isDigit(c));
    }

    private static Issuer selfSigned(String name) {
        KeyPair pair = keyPair(KeyAlgorithm.ECDSA_P256);
        X500Principal subject = new X500Principal("CN=" + name);
        return new Issuer(authority(subject, pair, subject, pair.getPrivate(), 1), pair.getPrivate());
    }

    private static Issuer intermediateOf(Issuer root) {
        KeyPair pair = keyPair(KeyAlgorithm.ECDSA_P256);
        X500Principal subject = new X500Principal("CN=Sluice Test Intermediate");
        X500Principal issuer = root.certificate().getSubjectX500Principal();
        return new Issuer(authority(subject, pair, issuer, root.key(), 2), pair.getPrivate());
    }

    private static X509Certificate authority(
            X500Principal subject, KeyPair pair, X500Principal issuer, PrivateKey issuerKey, long serial) {
        try {
            Instant now = Instant.now();
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    issuer,
                    BigInteger.valueOf(serial),
                    Date.from(now.minus(Duration.ofDays(60))),
                    Date.from(now.plus(Duration.ofDays(60))),
                    subject,
                    pair.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            return finish(builder, issuerKey);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static X509Certificate finish(JcaX509v3CertificateBuilder builder, PrivateKey issuerKey) {
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(issuerKey)));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("the JDK cannot sign a test certificate", e);
        }
    }

    private static KeyPair keyPair(KeyAlgorithm algorithm) {
        try {
            return switch (algorithm) {
                case ECDSA_P256 -> ellipticPair("secp256r1");
                case ECDSA_P384 -> ellipticPair("secp384r1");
                case RSA_2048 -> {
                    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
                    generator.initialize(2048);
                    yield generator.generateKeyPair();
                }
                case ED25519 -> KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            };
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK cannot generate a key: algorithm=" + algorithm, e);
        }
    }

    private static KeyPair ellipticPair(String curve) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(curve));
        return generator.generateKeyPair();
    }

    private Path writePem(String fileName, List<X509Certificate> certificates) {
        try {
            List<String> blocks = new ArrayList<>();
            for (X509Certificate certificate : certificates) {
                blocks.add(pem("CERTIFICATE", certificate.getEncoded()));
            }
            return write(fileName, String.join("", blocks));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate cannot be encoded: file=" + fileName, e);
        }
    }

    private Path writeKey(String fileName, PrivateKey key) {
        return write(fileName, pem("PRIVATE KEY", key.getEncoded()));
    }

    private Path write(String fileName, String content) {
        try {
            return Files.writeString(directory.resolve(fileName), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String pem(String label, byte[] der) {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }

    private static Path temporaryDirectory() {
        try {
            Path made = Files.createTempDirectory("sluice-certificates");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(made)));
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path tree) {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            System.err.println("not deleted: " + tree + ", cause: " + e.getMessage());
        }
    }
}
