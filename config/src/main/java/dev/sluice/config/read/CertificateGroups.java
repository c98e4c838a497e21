package dev.sluice.config.read;

import dev.sluice.config.certificate.CertificateOcsp;
import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.ServerNamePattern;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A grouping of the certificates of a directory by their names: of each key type, the one that is valid longest is
 * served.
 */
final class CertificateGroups {
    private final CertificateOcsp ocsp;
    private final Map<Object, Group> groups = new LinkedHashMap<>();

    /** Creates groups whose certificates all have the same source of OCSP responses. */
    CertificateGroups(CertificateOcsp ocsp) {
        this.ocsp = ocsp;
    }

    /** Certificates with the same names. */
    private static final class Group {
        private final String name;
        private final List<ServerNamePattern> serverNames;
        private final Map<String, KeyPairFiles> byType = new LinkedHashMap<>();

        Group(String name, List<ServerNamePattern> serverNames) {
            this.name = name;
            this.serverNames = serverNames;
        }

        void add(KeyPairFiles pair) {
            byType.merge(pair.keyType(), pair, Group::longest);
        }

        private static KeyPairFiles longest(KeyPairFiles one, KeyPairFiles other) {
            boolean first = !other.notAfter().isAfter(one.notAfter());
            KeyPairFiles kept = first ? one : other;
            KeyPairFiles dropped = first ? other : one;
            List<String> warnings = new ArrayList<>(kept.warnings());
            warnings.addAll(dropped.warnings());
            warnings.add(dropped.chain() + " has the same names and key type (" + kept.keyType()
                    + ") as " + kept.chain() + " and expires no later, at " + dropped.notAfter()
                    + ": it is not served; remove it");
            return new KeyPairFiles(
                    kept.files(),
                    kept.keyType(),
                    kept.notBefore(),
                    kept.notAfter(),
                    kept.sha256(),
                    warnings,
                    kept.revocation());
        }

        CertificateConfig config(CertificateOcsp ocsp) {
            return new CertificateConfig(name, List.copyOf(byType.values()), serverNames, ocsp);
        }
    }

    /** Adds a certificate; the first of a group names it. */
    void add(String name, KeyPairFiles pair, List<ServerNamePattern> serverNames) {
        Set<ServerNamePattern> names = new HashSet<>(serverNames);
        // A certificate without names is a group of its own.
        Object key = names.isEmpty() ? name : names;
        groups.computeIfAbsent(key, _ -> new Group(name, List.copyOf(names))).add(pair);
    }

    /** Returns one certificate per group, in the order of arrival. */
    List<CertificateConfig> certificates() {
        return groups.values().stream().map(group -> group.config(ocsp)).toList();
    }
}
