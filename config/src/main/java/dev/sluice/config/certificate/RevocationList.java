package dev.sluice.config.certificate;

import java.nio.file.Path;
import java.time.Instant;

/**
 * A certificate revocation list.
 *
 * @param file the file
 * @param issuer the authority, as RFC 2253 text
 * @param nextUpdate the time at which it expires; {@link Instant#MAX}: never
 */
public record RevocationList(Path file, String issuer, Instant nextUpdate) {}
