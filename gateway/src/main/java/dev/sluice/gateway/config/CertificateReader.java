package dev.sluice.gateway.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one entry of the section {@code certificates}, the files it names included. */
final class CertificateReader {
    private static final List<String> KEYS = List.of("chain", "key", "ocsp");

    /** The tag of a dNSName in a subjectAltName, RFC 5280 section 4.2.1.6. */
    private static final int DNS_NAME = 2;

    private final Path directory;
    private final TlsCheck check;

    CertificateReader(Path directory, TlsCheck check) {
        this.directory = directory;
        this.check = check;
    }

    /** The certificate, or null when it has problems, which are reported. */
    @Nullable
    CertificateConfig read(Value entry) {
        Section section = entry.section(KEYS);
        if (section == null) {
            return null;
        }
        Value chain = section.require("chain", entry.name() + ".pem");
        Value key = section.require("key", entry.name() + ".key");
        if (chain == null || key == null) {
            return null;
        }
        List<Value> chains = chain.items();
        List<Value> keys = key.items();
        if (chains.size() != keys.size()) {
            key.problem("certificate " + entry.name() + " has " + chains.size() + " chains and " + keys.size()
                    + " keys; list one key per chain, in the same order");
            return null;
        }
        return read(entry.name(), chains, keys, new OcspReader(directory).readOfCertificate(section.find("ocsp")));
    }

    private @Nullable CertificateConfig read(String name, List<Value> chains, List<Value> keys, CertificateOcsp ocsp) {
        List<KeyPairFiles> pairs = new ArrayList<>();
        Set<ServerNamePattern> names = new HashSet<>();
        Set<String> keyTypes = new HashSet<>();
        for (int i = 0; i < chains.size(); i++) {
            Path chain = chains.get(i).file(directory);
            Path key = keys.get(i).file(directory);
            X509Certificate leaf = chain == null ? null : leaf(chains.get(i), chain);
            if (chain == null || key == null || leaf == null) {
                continue;
            }
            String keyType = leaf.getPublicKey().getAlgorithm();
            if (!keyTypes.add(keyType)) {
                chains.get(i)
                        .problem("certificate " + name + " has two of type " + keyType
                                + "; one per type can be served, so remove one or give it a name of its own");
                continue;
            }
            KeyPairFiles pair = new KeyPairFiles(
                    chain,
                    key,
                    keyType,
                    leaf.getNotBefore().toInstant(),
                    leaf.getNotAfter().toInstant(),
                    RevocationFacts.of(leaf));
            if (fits(pair, keys.get(i))) {
                pairs.add(pair);
                names.addAll(serverNames(leaf));
            }
        }
        return pairs.size() == chains.size() ? new CertificateConfig(name, pairs, List.copyOf(names), ocsp) : null;
    }

    private boolean fits(KeyPairFiles pair, Value key) {
        String problem = check.keyPairProblem(pair);
        if (problem != null) {
            key.problem(problem);
        }
        return problem == null;
    }

    private static @Nullable X509Certificate leaf(Value value, Path chain) {
        try (InputStream input = Files.newInputStream(chain)) {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(input);
            if (certificates.isEmpty()) {
                throw new CertificateException("nothing found");
            }
            return (X509Certificate) certificates.iterator().next();
        } catch (CertificateException | IOException broken) {
            value.problem(value.name() + " " + chain + " holds no certificates in PEM (" + firstLine(broken)
                    + "); it should begin with -----BEGIN CERTIFICATE-----");
        }
        return null;
    }

    private static String firstLine(Exception broken) {
        String message = String.valueOf(broken.getMessage());
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }

    private static List<ServerNamePattern> serverNames(X509Certificate leaf) {
        List<ServerNamePattern> names = new ArrayList<>();
        for (List<?> alternative : alternativeNames(leaf)) {
            if (alternative.get(0).equals(DNS_NAME) && alternative.get(1) instanceof String text) {
                names.add(new ServerNamePattern(text));
            }
        }
        return names;
    }

    private static Collection<List<?>> alternativeNames(X509Certificate leaf) {
        try {
            Collection<List<?>> names = leaf.getSubjectAlternativeNames();
            return names == null ? List.of() : names;
        } catch (CertificateException unreadable) {
            return List.of();
        }
    }
}
