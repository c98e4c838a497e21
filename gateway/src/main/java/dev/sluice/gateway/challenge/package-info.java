/**
 * The answers to an ACME server that checks a name, as far as connections need them.
 *
 * <p>A {@link dev.sluice.gateway.challenge.ChallengeAnswer} is made by the package {@code acme}; each event loop has
 * {@link dev.sluice.gateway.challenge.PendingChallenges} of its own, which its sessions look at.
 *
 * <p>Pending challenges are confined to their loop's thread.
 */
@NullMarked
package dev.sluice.gateway.challenge;

import org.jspecify.annotations.NullMarked;
