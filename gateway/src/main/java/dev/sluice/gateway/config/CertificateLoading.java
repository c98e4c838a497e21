package dev.sluice.gateway.config;

import dev.sluice.gateway.config.UnusableCertificate.Consequence;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Has the TLS library load certificates, and notes which files it cannot use. One bad file must not stop the renewal of
 * all others: in a directory it is skipped, and whatever was served before stays in use.
 */
final class CertificateLoading {
    private final TlsCheck check;
    private final List<Path> directories = new ArrayList<>();
    private final Set<UnusableCertificate> unusable = new LinkedHashSet<>();

    CertificateLoading(TlsCheck check) {
        this.check = check;
    }

    /** True when somebody has renewed files, and nobody has asked for the configuration to be read. */
    boolean isRenewal() {
        return check.isRenewal();
    }

    /**
     * Loads the files of an entry, one kind of key each. Those of a renewal that cannot be used leave the previous ones
     * in use.
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

    /** A certificate that was renewed with the kind of key of another one in its entry. */
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
        return "certificate " + name + " has two of type " + type
                + "; one per type can be served, so remove one or give it a name of its own";
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

    /** Loads files that lie in a directory; null: they are skipped. */
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

    /** Leaves one out that can be loaded and that no client could ask for. */
    void skip(String name, CertificateConfig certificate, String problem) {
        certificate.keyPairs().forEach(pair -> note(name, pair.files(), Consequence.SKIPPED, problem));
    }

    /** Returns what lay in a directory that cannot be read any more, and is served. */
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

    /** Others may come to lie in these directories. */
    void watch(List<Path> more) {
        directories.addAll(more);
    }

    /** Why nothing can be served of an entry of the configuration; empty: nothing is wrong with it. */
    List<String> problems(String name) {
        return unusable.stream()
                .filter(each -> each.name().equals(name))
                .map(UnusableCertificate::problem)
                .toList();
    }

    /** What was found so far. */
    CertificateSources sources() {
        return new CertificateSources(directories, List.copyOf(unusable));
    }
}
