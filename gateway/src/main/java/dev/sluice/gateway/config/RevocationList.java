package dev.sluice.gateway.config;

import java.nio.file.Path;
import java.time.Instant;

/**
 * A list of certificates that an authority has revoked.
 *
 * @param file where it is
 * @param issuer the authority, as RFC 2253 text
 * @param nextUpdate when it expires; {@link Instant#MAX} when it never does
 */
public record RevocationList(Path file, String issuer, Instant nextUpdate) {}
