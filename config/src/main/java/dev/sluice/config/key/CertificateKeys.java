package dev.sluice.config.key;

import dev.sluice.config.key.KeyType.Group;
import dev.sluice.config.key.KeyType.Shape;
import dev.sluice.config.key.KeyType.Text;
import dev.sluice.config.key.KeyType.Texts;
import java.util.List;

/** The keys of a certificate. */
public final class CertificateKeys {
    public static final Key RESPONDER = Key.optional(
            "responder",
            new Text("an `http` URL"),
            "from the certificate",
            "OCSP responder to query. Responses are signed, so that TLS is not needed.");
    public static final Key ISSUER = Key.optional(
            "issuer",
            new Text("a PEM file"),
            "from the chain",
            "The issuer's certificate, where the chain does not contain it.");
    public static final SectionKeys CERTIFICATE_OCSP = new SectionKeys(
            "certificateOcsp",
            "certificates.NAME.ocsp",
            "OCSP of a certificate",
            "See [OCSP stapling](guide/ocsp-stapling.md).",
            List.of(RESPONDER, ISSUER));

    public static final Key CHAIN = Key.optional(
            "chain",
            new Texts("PEM files"),
            "Certificate and intermediates, in any order. A list: several key types under one name.");
    public static final Key KEY =
            Key.optional("key", new Texts("PEM files"), "in `chain`", "Private key of each chain, in the same order.");
    public static final Key PKCS12 = Key.optional(
            "pkcs12", new Texts("PKCS #12 files"), "Certificate and private key, in place of `chain` and `key`.");
    public static final Key DIRECTORY = Key.optional(
            "dir", new Text("a directory"), "Certificates with their keys, in place of `chain` and `key`.");
    public static final Key ACME = Key.optional(
            "acme",
            new Group(Shape.SECTION, AcmeKeys.CERTIFICATE),
            "Names to order a certificate for from an ACME server, in place of files.");
    public static final Key PASSPHRASE_FILE = Key.optional(
            "passphrase-file",
            new Texts("files"),
            "File whose first line decrypts the private key; one for all, or one for each.");
    public static final Key OCSP = Key.optional(
            "ocsp",
            new Group(Shape.ON_OFF_OR_SECTION, CERTIFICATE_OCSP),
            "`on`",
            "Stapling of OCSP responses to this certificate.");

    public static final SectionKeys SECTION = new SectionKeys(
            "certificate",
            "certificates.NAME",
            "Certificates",
            "Exactly one of `chain`, `pkcs12`, `dir` and `acme` is required;"
                    + " see [Certificates](guide/certificates.md).",
            List.of(CHAIN, KEY, PKCS12, DIRECTORY, ACME, PASSPHRASE_FILE, OCSP),
            List.of(CHAIN, PKCS12, DIRECTORY, ACME));

    private CertificateKeys() {}
}
