/**
 * The OCSP responses for the gateway's certificates: fetched, verified, stored on disk, and stapled.
 *
 * <p>{@link dev.sluice.gateway.ocsp.Stapling} is the entry: it fetches responses in the background and refreshes them
 * in time. {@link dev.sluice.gateway.ocsp.StapleRound} collects the certificates of one configuration before its
 * commit; {@link dev.sluice.gateway.ocsp.OcspFailure} lists the reasons for a missing response.
 *
 * <p>Responders are asked on virtual threads, with blocking I/O. Handshakes only read the slot of their certificate, so
 * no responder can delay one. The entry may be used from any thread.
 *
 * <pre>
 * responder ──▶ ResponderClient ──▶ Refresher ──▶ StapleFiles, slot ──▶ handshakes
 * </pre>
 */
@NullMarked
package dev.sluice.gateway.ocsp;

import org.jspecify.annotations.NullMarked;
