package dev.sluice.gateway.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How OCSP responses are stapled to the certificates that name a responder.
 *
 * @param keep for how long a response on disk can be used after it was fetched; never beyond its own end
 * @param directory where responses are kept from one start to the next; null: nowhere
 */
public record OcspConfig(Duration keep, @Nullable Path directory) {
    /** Unless configured: kept for 72 hours, in memory only. */
    public static final OcspConfig DEFAULT = new OcspConfig(Duration.ofDays(3), null);

    /** The same with a directory, where none is named. */
    public OcspConfig orIn(Path other) {
        return directory == null ? new OcspConfig(keep, other) : this;
    }
}
