package dev.sluice.config.read;

import dev.sluice.config.acme.AcmeConfig;
import dev.sluice.config.acme.AcmeKeyType;
import dev.sluice.config.certificate.CertificateDirectory;
import dev.sluice.config.certificate.CertificateFiles;
import dev.sluice.config.certificate.CertificateFindings;
import dev.sluice.config.certificate.CertificateOcsp;
import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.certificate.RevocationFacts;
import dev.sluice.config.key.CertificateKeys;
import dev.sluice.config.key.Key;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.config.yaml.Value;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The reader of an entry of {@code certificates}, the files it names included. */
final class CertificateReader {
    /** The tag of a dNSName in a subjectAltName, RFC 5280 section 4.2.1.6. */
    private static final int DNS_NAME = 2;

    private final Path directory;
    private final CertificateLoading loading;
    private final AcmeReader acme;

    CertificateReader(Path directory, CertificateLoading loading, AcmeReader acme) {
        this.directory = directory;
        this.loading = loading;
        this.acme = acme;
    }

    /** Files of one key type, and their position in the configuration. */
    private record Named(Value place, CertificateFiles files) {}

    /** Reads a certificate, or those of a directory; null when there are problems, which are reported. */
    @Nullable
    List<CertificateConfig> read(Value entry) {
        Section section = Section.of(entry, CertificateKeys.SECTION);
        Key form = section == null ? null : form(entry.name(), section);
        if (section == null || form == null) {
            return null;
        }
        Value first = Objects.requireNonNull(section.find(form));
        Value passphrase = section.find(CertificateKeys.PASSPHRASE_FILE);
        CertificateOcsp ocsp =
                new OcspReader(directory).readOfCertificate(section.find(CertificateKeys.OCSP), this::file);
        if (form == CertificateKeys.ACME) {
            return acme(entry.name(), first, passphrase, ocsp);
        }
        if (form == CertificateKeys.DIRECTORY) {
            return directory(entry.name(), first, passphrase, ocsp);
        }
        List<Named> named = files(
                entry.name(), first, section.find(CertificateKeys.KEY), passphrase, form == CertificateKeys.PKCS12);
        CertificateConfig loaded = named == null ? null : load(entry.name(), named, ocsp);
        return loaded == null ? null : List.of(loaded);
    }

    /** Returns the one that is there of the keys that exclude each other. */
    private static @Nullable Key form(String name, Section section) {
        List<Key> forms = CertificateKeys.SECTION.alternatives().stream()
                .filter(each -> section.find(each) != null)
                .toList();
        if (forms.size() != 1) {
            section.problem("certificate " + name + " needs chain: FILE with key: FILE, in PEM, or pkcs12: FILE, or"
                    + " dir: DIRECTORY, or acme: {names: […]}, but has "
                    + (forms.isEmpty()
                            ? "none of them"
                            : forms.stream().map(Key::name).collect(Collectors.joining(" and "))));
            return null;
        }
        Value key = section.find(CertificateKeys.KEY);
        if (key != null && !forms.contains(CertificateKeys.CHAIN)) {
            key.problem("key has no effect with " + forms.getFirst()
                    + (forms.contains(CertificateKeys.ACME)
                            ? ", which makes the private key; remove it"
                            : ", which contains the private key; remove it"));
            return null;
        }
        return forms.getFirst();
    }

    // --- issued by an ACME server -----------------------------------------------------------------------------------

    /** Reads the certificates that have been issued so far, or a placeholder. */
    private @Nullable List<CertificateConfig> acme(
            String name, Value value, @Nullable Value passphrase, CertificateOcsp ocsp) {
        if (passphrase != null) {
            passphrase.problem("passphrase-file has no effect with acme, whose keys are encrypted by acme.seal-key;"
                    + " remove it");
        }
        AcmeConfig order = acme.read(name, value);
        if (order == null) {
            return null;
        }
        List<KeyPairFiles> pairs = new ArrayList<>();
        Set<ServerNamePattern> names = new LinkedHashSet<>();
        for (AcmeKeyType key : order.keys()) {
            CertificateFiles files = files(order, name, key);
            loading.watch(List.of(files.chain()));
            X509Certificate issued = issued(name, files);
            if (issued != null) {
                pairs.add(pair(files, issued, List.of()));
                names.addAll(serverNames(issued));
            }
        }
        if (pairs.isEmpty()) {
            CertificateFiles files = files(order, name, order.keys().getFirst());
            X509Certificate placeholder = loading.placeholder(files, order.names());
            if (placeholder == null) {
                value.problem("certificate " + name + " has not been issued yet, and no placeholder can be made");
                return null;
            }
            pairs.add(pair(files, placeholder, List.of()));
            order.names().forEach(each -> names.add(new ServerNamePattern(each)));
        }
        return List.of(new CertificateConfig(name, pairs, List.copyOf(names), ocsp, order));
    }

    private static CertificateFiles files(AcmeConfig order, String name, AcmeKeyType key) {
        Path file = order.storage().certificate(name, key);
        return new CertificateFiles(file, file, false, order.storage().sealKey());
    }

    /** Returns a certificate that can be served; null: it has not been issued, or is skipped, which is noted. */
    private @Nullable X509Certificate issued(String name, CertificateFiles files) {
        CertificateFindings found = Files.exists(files.chain()) ? loading.inDirectory(name, files) : null;
        return found == null ? null : found.certificate();
    }

    private @Nullable List<CertificateConfig> directory(
            String name, Value value, @Nullable Value passphrase, CertificateOcsp ocsp) {
        Path path = loading.isRenewal() ? value.location(directory) : value.directory(directory);
        Path opens = passphrase == null ? null : file(passphrase);
        if (path == null || (passphrase != null && opens == null)) {
            return null;
        }
        CertificateDirectory found = new CertificateDirectory(path, opens);
        loading.watch(found.directories());
        CertificateGroups groups = new CertificateGroups(ocsp);
        for (CertificateFiles files : found.found()) {
            add(groups, name, path, files, loading.inDirectory(name, files));
        }
        found.unreadable()
                .forEach((each, problem) -> loading.inUnreadable(name, each, problem)
                        .forEach((files, findings) -> add(groups, name, path, files, findings)));
        if (found.found().isEmpty() && found.unreadable().isEmpty()) {
            loading.inUnreadable(
                    name,
                    path,
                    "dir " + path + " contains no certificate; add NAME.pem with certificate and key,"
                            + " NAME.crt with NAME.key, or NAME.p12");
        }
        return groups.certificates();
    }

    private static void add(
            CertificateGroups groups,
            String name,
            Path directory,
            CertificateFiles files,
            @Nullable CertificateFindings findings) {
        X509Certificate certificate = findings == null ? null : findings.certificate();
        if (findings != null && certificate != null) {
            String own = name + "/" + directory.relativize(files.chain());
            groups.add(own, pair(files, certificate, findings.warnings()), serverNames(certificate));
        }
    }

    /** Returns a path; files of a renewal may be missing, and their previous contents stay in use then. */
    private @Nullable Path file(Value value) {
        return loading.isRenewal() ? value.location(directory) : value.file(directory);
    }

    private @Nullable List<Named> files(
            String name, Value first, @Nullable Value key, @Nullable Value passphrase, boolean pkcs12) {
        List<Value> chains = first.items();
        // HAProxy and hitch have certificate and key in one file.
        List<Value> keys = key == null ? chains : key.items();
        List<Value> passphrases = passphrase == null ? List.of() : passphrase.items();
        if (chains.size() != keys.size()) {
            (key == null ? first : key)
                    .problem("certificate " + name + " has " + chains.size() + " chains and " + keys.size()
                            + " keys; list one key per chain, in the same order");
            return null;
        }
        if (passphrase != null && passphrases.size() > 1 && passphrases.size() != keys.size()) {
            passphrase.problem("certificate " + name + " has " + passphrases.size() + " passphrase files and "
                    + keys.size() + " keys; name one for all, or one per key, in the same order");
            return null;
        }
        List<Named> named = new ArrayList<>();
        for (int i = 0; i < chains.size(); i++) {
            Value opens = passphrases.isEmpty() ? null : passphrases.get(Math.min(i, passphrases.size() - 1));
            Named files = files(chains.get(i), keys.get(i), opens, pkcs12);
            if (files != null) {
                named.add(files);
            }
        }
        return named.size() == chains.size() ? named : null;
    }

    private @Nullable Named files(Value chain, Value key, @Nullable Value passphrase, boolean pkcs12) {
        Path chainFile = file(chain);
        Path keyFile = key == chain ? chainFile : file(key);
        Path passphraseFile = passphrase == null ? null : file(passphrase);
        if (chainFile == null || keyFile == null || (passphrase != null && passphraseFile == null)) {
            return null;
        }
        return new Named(chain, new CertificateFiles(chainFile, keyFile, pkcs12, passphraseFile));
    }

    private @Nullable CertificateConfig load(String name, List<Named> named, CertificateOcsp ocsp) {
        List<KeyPairFiles> pairs = new ArrayList<>();
        Set<ServerNamePattern> names = new HashSet<>();
        Set<String> keyTypes = new HashSet<>();
        List<CertificateFindings> all =
                loading.named(name, named.stream().map(Named::files).toList());
        for (int i = 0; i < named.size(); i++) {
            Named each = named.get(i);
            CertificateFindings found = all.get(i);
            X509Certificate certificate = found.certificate();
            if (certificate == null) {
                each.place().problem(String.valueOf(found.problem()));
            } else if (keyTypes.add(found.keyType())) {
                pairs.add(pair(each.files(), certificate, found.warnings()));
                names.addAll(serverNames(certificate));
            } else {
                each.place().problem(CertificateLoading.twoOfType(name, found.keyType()));
            }
        }
        return pairs.size() == named.size() ? new CertificateConfig(name, pairs, List.copyOf(names), ocsp) : null;
    }

    private static KeyPairFiles pair(CertificateFiles files, X509Certificate certificate, List<String> warnings) {
        return new KeyPairFiles(
                files,
                certificate.getPublicKey().getAlgorithm(),
                certificate.getNotBefore().toInstant(),
                certificate.getNotAfter().toInstant(),
                KeyPairFiles.fingerprint(certificate),
                warnings,
                RevocationFacts.of(certificate));
    }

    private static List<ServerNamePattern> serverNames(X509Certificate leaf) {
        List<ServerNamePattern> names = new ArrayList<>();
        for (List<?> alternative : alternativeNames(leaf)) {
            if (alternative.get(0).equals(DNS_NAME) && alternative.get(1) instanceof String text) {
                ServerNamePattern name = new ServerNamePattern(text);
                if (name.isUsable()) { // clients accept no other wildcards either
                    names.add(name);
                }
            }
        }
        return names;
    }

    private static Collection<List<?>> alternativeNames(X509Certificate leaf) {
        try {
            Collection<List<?>> names = leaf.getSubjectAlternativeNames();
            return names == null ? List.of() : names;
        } catch (CertificateParsingException unreadable) {
            return List.of();
        }
    }
}
