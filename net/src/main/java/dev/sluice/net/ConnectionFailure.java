package dev.sluice.net;

import dev.sluice.tls.TlsFailure.Fault;

/**
 * The reason why a connection broke.
 *
 * @param fault who is to blame
 * @param reason a short stable name in lower_snake_case for metrics, such as {@code connection_reset}
 * @param message value, cause and remedy, for people
 */
public record ConnectionFailure(Fault fault, String reason, String message) {}
