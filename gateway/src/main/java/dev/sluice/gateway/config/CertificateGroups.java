package dev.sluice.gateway.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Puts those certificates of a directory together that are for the same names: one of each kind of key is served, the one that
 * is valid longest.
 */
final class CertificateGroups {
    private final CertificateOcsp ocsp;
    private final Map<Object, Group> groups = new LinkedHashMap<>();

    /** @param ocsp how all of them come to their OCSP responses */
    CertificateGroups(CertificateOcsp ocsp) {
        this.ocsp = ocsp;
    }

    /** Certificates for the same names. */
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
            warnings.add(dropped.chain() + " is for the same names, of the same kind (" + kept.keyType()
                    + "), and ends no later, at " + dropped.notAfter() + ": it is not served, remove it");
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

    /** One more; of a group, the first one's name is the group's. */
    void add(String name, KeyPairFiles pair, List<ServerNamePattern> serverNames) {
        Set<ServerNamePattern> names = new HashSet<>(serverNames);
        // Without names nobody can tell what belongs together.
        Object key = names.isEmpty() ? name : names;
        groups.computeIfAbsent(key, _ -> new Group(name, List.copyOf(names))).add(pair);
    }

    /** All of them, in the order in which they came. */
    List<CertificateConfig> certificates() {
        return groups.values().stream().map(group -> group.config(ocsp)).toList();
    }
}
