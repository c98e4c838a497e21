/**
 * Published claims about the cost of TLS, measured again on this machine.
 *
 * <p>{@link dev.sluice.bench.claims.ClaimsTable} puts published figures beside a saved cost profile;
 * {@link dev.sluice.bench.claims.ArticleExperiment} runs the four regimes of a well-known article: full handshakes,
 * resumed ones, and bulk data with AES-128-GCM and with ChaCha20-Poly1305.
 *
 * <p>The experiment runs a client and a server on two threads over loopback; everything else is confined to its caller.
 */
@NullMarked
package dev.sluice.bench.claims;

import org.jspecify.annotations.NullMarked;
