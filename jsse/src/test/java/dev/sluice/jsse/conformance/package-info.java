/**
 * The conformance suite of {@link javax.net.ssl.SSLEngine}: the same cases on SunJSSE and on Sluice.
 *
 * <p>Cases of a connection run on each {@link dev.sluice.jsse.conformance.ProviderPair}: both roles by each provider,
 * TLS 1.2 and TLS 1.3. Cases of a single engine run on each {@link dev.sluice.jsse.conformance.JsseProvider}. A case
 * asserts the same for both; what may differ is listed, with its reason, in {@link
 * dev.sluice.jsse.conformance.Difference}.
 *
 * <p>Connections are in memory: an {@link dev.sluice.jsse.conformance.EngineLink} carries the bytes between two {@link
 * dev.sluice.jsse.conformance.EnginePeer}s, so that each case controls every byte. Nothing here is timed.
 */
@NullMarked
package dev.sluice.jsse.conformance;

import org.jspecify.annotations.NullMarked;
