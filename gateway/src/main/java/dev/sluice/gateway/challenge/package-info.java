/**
 * The answers to an ACME server that checks a name, as far as connections need them.
 *
 * <p>A {@link dev.sluice.gateway.challenge.ChallengeAnswer} is made by the package {@code acme} for each name of an
 * order. Each event loop has {@link dev.sluice.gateway.challenge.PendingChallenges} of its own, which its sessions look
 * at: handshakes for TLS-ALPN-01, requests of plain HTTP for HTTP-01. It lies apart from {@code acme} so that sessions
 * do not depend on the client, nor on the library that it uses.
 *
 * <p>Pending challenges are confined to their loop's thread.
 */
@NullMarked
package dev.sluice.gateway.challenge;

import org.jspecify.annotations.NullMarked;
