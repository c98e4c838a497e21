/**
 * The suite of JSSE: Sluice's provider beside the JDK's, Netty's tcnative and Conscrypt.
 *
 * <p>{@link dev.sluice.bench.jsse.JsseBenchmark} runs its parts. Records are rows of {@code dev.sluice.bench.record},
 * which has their processes; {@link dev.sluice.bench.jsse.HttpsTreatment} is a server of Netty under the load of {@code
 * dev.sluice.bench.load}; {@link dev.sluice.bench.jsse.ConnectionsTreatment} is a server of blocking sockets with the
 * clients of {@code dev.sluice.bench.idle}. What is measured is a {@link dev.sluice.bench.jsse.Contender}, whose
 * process is a {@link dev.sluice.bench.jsse.ServerProcess}.
 *
 * <p>A run blocks its caller.
 */
@NullMarked
package dev.sluice.bench.jsse;

import org.jspecify.annotations.NullMarked;
