/**
 * The cost of many certificates: time until they are served, and memory.
 *
 * <p>{@link dev.sluice.bench.certificates.ManyCertificates} runs a gateway in this process over a directory of
 * generated certificates. It measures loading, memory, the waiting time of a name's first and second client, and a
 * reload.
 *
 * <p>A run blocks its caller. Its clients accept the generated certificates through {@link
 * dev.sluice.bench.certificates.TrustsAnyone} and check them afterwards.
 */
@NullMarked
package dev.sluice.bench.certificates;

import org.jspecify.annotations.NullMarked;
