package dev.sluice.config.read;

import dev.sluice.config.certificate.CertificateFiles;
import dev.sluice.config.certificate.CertificateFindings;
import dev.sluice.config.certificate.CertificateSources;
import dev.sluice.config.certificate.UnusableCertificate;
import dev.sluice.config.certificate.UnusableCertificate.Consequence;
import dev.sluice.config.model.CertificateConfig;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The loading of certificates by the TLS library, with a list of unusable files. One bad file must not stop the renewal
 * of all others: in a directory it is skipped, and a certificate that was served before stays in use.
 */
final class CertificateLoading {
    private final TlsCheck check;
    private final List<Path> directories = new ArrayList<>();
    private final Set<UnusableCertificate> unusable = new LinkedHashSet<>();

    CertificateLoading(TlsCheck check) {
        this.check = check;
    }

    /** Returns true when files were renewed without a reload of the configuration. */
    boolean isRenewal() {
        return check.isRenewal();
    }

    /**
     * Loads the files of an entry, one key type each. Unusable files of a renewal leave the previous ones in use.
     */
    List<CertificateFindings> named(String name, List<CertificateFiles> all) {
        List<CertificateFindings> found = new ArrayList<>();
        all.forEach(files -> found.add(named(name, files)));
        for (int i = 0; i < found.size(); i++) {
            found.set(i, ofOneType(name, all.get(i), found, i));
        }
        return found;
    }

    private CertificateFindings named(String name, CertificateFiles files) {
        CertificateFindings found = check.certificate(files);
        String problem = found.problem();
        CertificateFindings previous = problem == null ? null : previousOfRenewal(files);
        return problem == null || previous == null ? found : kept(name, files, previous, problem);
    }

    /** Keeps the previous certificate when a renewed one has the key type of another one in its entry. */
    private CertificateFindings ofOneType(
            String name, CertificateFiles files, List<CertificateFindings> all, int index) {
        CertificateFindings found = all.get(index);
        String type = found.keyType();
        boolean isAlone =
                all.stream().filter(each -> each.keyType().equals(type)).count() == 1;
        CertificateFindings previous = isAlone || type.isEmpty() ? null : previousOfRenewal(files);
        return previous == null || previous.keyType().equals(type)
                ? found
                : kept(name, files, previous, twoOfType(name, type));
    }

    static String twoOfType(String name, String type) {
        return "certificate " + name + " has two keys of type " + type
                + ", and only one per type can be served; remove one, or give it a name of its own";
    }

    private @Nullable CertificateFindings previousOfRenewal(CertificateFiles files) {
        return isRenewal() ? check.previous(files) : null;
    }

    private CertificateFindings kept(
            String name, CertificateFiles files, CertificateFindings previous, String problem) {
        check.keepPrevious(files);
        note(name, files, Consequence.KEPT, problem);
        return previous;
    }

    /** Loads files in a directory; null: they are skipped. */
    @Nullable
    CertificateFindings inDirectory(String name, CertificateFiles files) {
        CertificateFindings found = check.certificate(files);
        String problem = found.problem();
        if (problem == null) {
            return found;
        }
        CertificateFindings previous = check.previous(files);
        if (previous == null) {
            note(name, files, Consequence.SKIPPED, problem);
            return null;
        }
        return kept(name, files, previous, problem);
    }

    /** Makes a certificate that is served until one is issued; null: it cannot be made. */
    @Nullable
    X509Certificate placeholder(CertificateFiles files, List<String> names) {
        return check.placeholder(files, names).certificate();
    }

    /** Skips a certificate that can be loaded but that no client could select. */
    void skip(String name, CertificateConfig certificate, String problem) {
        certificate.keyPairs().forEach(pair -> note(name, pair.files(), Consequence.SKIPPED, problem));
    }

    /** Returns the certificates that were loaded from a directory that has become unreadable. */
    Map<CertificateFiles, CertificateFindings> inUnreadable(String name, Path directory, String problem) {
        Map<CertificateFiles, CertificateFindings> previous = new LinkedHashMap<>();
        for (CertificateFiles files : check.previousBelow(directory)) {
            previous.put(files, Objects.requireNonNull(check.previous(files)));
            check.keepPrevious(files);
        }
        Consequence consequence = previous.isEmpty() ? Consequence.SKIPPED : Consequence.KEPT;
        unusable.add(new UnusableCertificate(name, List.of(directory), consequence, problem));
        return previous;
    }

    private void note(String name, CertificateFiles files, Consequence consequence, String problem) {
        unusable.add(new UnusableCertificate(name, files.all().toList(), consequence, problem));
    }

    /** Adds directories to watch for more certificates. */
    void watch(List<Path> more) {
        directories.addAll(more);
    }

    /** Returns the reasons why files of an entry cannot be served; empty: there are none. */
    List<String> problems(String name) {
        return unusable.stream()
                .filter(each -> each.name().equals(name))
                .map(UnusableCertificate::problem)
                .toList();
    }

    /** Returns the directories and unusable files so far. */
    CertificateSources sources() {
        return new CertificateSources(directories, List.copyOf(unusable));
    }
}
