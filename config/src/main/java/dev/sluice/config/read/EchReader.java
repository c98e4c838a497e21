package dev.sluice.config.read;

import dev.sluice.config.key.EchKeys;
import dev.sluice.config.key.ListenerKeys;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.EchConfig;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.config.yaml.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reader of {@code ech} of the listeners. */
final class EchReader {
    private static final double MILLIS_PER_SECOND = 1e3;

    private final Path base;
    private final TlsCheck check;
    private final Map<Path, EchConfig> byDirectory = new HashMap<>();

    EchReader(Path base, TlsCheck check) {
        this.base = base;
        this.check = check;
    }

    /**
     * Reads the section; null without one, and when its problems, which are reported, leave none.
     *
     * @param certificates those of the listener
     */
    @Nullable
    EchConfig read(Section listener, List<CertificateConfig> certificates) {
        Value value = listener.find(ListenerKeys.ECH);
        Section section = value == null ? null : Section.of(value, EchKeys.SECTION);
        if (value == null || section == null) {
            return null;
        }
        Value name = section.require(EchKeys.PUBLIC_NAME);
        Value place = section.require(EchKeys.DIRECTORY);
        double seconds = section.get(EchKeys.ROTATE);
        int keep = section.get(EchKeys.KEEP);
        String publicName = name == null ? null : publicName(name, certificates);
        Path directory = place == null ? null : place.directory(base);
        String problem = check.encryptedHelloProblem();
        if (problem != null) {
            value.problem(problem);
        }
        if (publicName == null || place == null || directory == null) {
            return null;
        }
        Duration rotate =
                Double.isNaN(seconds) ? Duration.ZERO : Duration.ofMillis(Math.round(seconds * MILLIS_PER_SECOND));
        EchConfig read = new EchConfig(publicName, directory, rotate, keep);
        EchConfig other = byDirectory.putIfAbsent(directory, read);
        if (other != null && !other.equals(read)) {
            place.problem("another listener has the same directory with other settings; give both the same, or each a"
                    + " directory of its own");
        }
        return read;
    }

    private static @Nullable String publicName(Value value, List<CertificateConfig> certificates) {
        String text = value.text();
        if (text == null) {
            return null;
        }
        ServerNamePattern name = new ServerNamePattern(text);
        if (!name.isUsable() || text.startsWith("*")) {
            value.problem("public-name is \"" + text + "\"; write a host name, such as gateway.example.com");
            return null;
        }
        boolean covered = certificates.stream()
                .flatMap(certificate -> certificate.serverNames().stream())
                .anyMatch(pattern -> pattern.matches(name.text()));
        if (!covered && !certificates.isEmpty()) {
            value.problem("no certificate of the listener covers the public-name " + name.text() + ", so that clients"
                    + " with an outdated key could not be sent the current one; add a certificate for it");
        }
        return name.text();
    }
}
