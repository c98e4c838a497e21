package dev.sluice.config.key;

import dev.sluice.config.key.KeyType.Text;
import dev.sluice.config.key.KeyType.Time;
import dev.sluice.config.model.OcspConfig;
import java.time.Duration;
import java.util.List;

/** The keys of {@code ocsp} at the top. */
public final class OcspKeys {
    public static final ValueKey<Duration> KEEP = Key.of(
            "keep",
            new Time(Duration.ofMinutes(1), Duration.ofDays(30)),
            OcspConfig.DEFAULT.keep(),
            "Time after its fetch for which a start may use a response from disk.");
    public static final Key DIRECTORY = Key.optional(
            "directory", new Text("a directory"), "`ocsp` in the state directory", "Directory for the responses.");

    public static final SectionKeys SECTION = new SectionKeys(
            "ocsp", "ocsp", "OCSP stapling", "See [OCSP stapling](guide/ocsp-stapling.md).", List.of(KEEP, DIRECTORY));

    private OcspKeys() {}
}
