package dev.sluice.config.model;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The stapling of OCSP responses to certificates that name a responder.
 *
 * @param keep the time after its fetch for which a response on disk may be used; never beyond its own expiry
 * @param directory the directory that keeps responses from one start to the next; null: none
 */
public record OcspConfig(Duration keep, @Nullable Path directory) {
    /** Responses are kept for 72 hours, in memory only. */
    public static final OcspConfig DEFAULT = new OcspConfig(Duration.ofDays(3), null);

    /** Returns a copy with a directory, unless one is set. */
    public OcspConfig orIn(Path other) {
        return directory == null ? new OcspConfig(keep, other) : this;
    }
}
