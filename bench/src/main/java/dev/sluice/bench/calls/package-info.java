/**
 * The speed of calls: requests and responses over one encrypted stream, strictly in turns and pipelined.
 *
 * <p>{@link dev.sluice.bench.calls.CallRows} is the entry. Every row has a client and a server, processes of
 * {@link dev.sluice.bench.calls.CallWorker} on a core each, as two machines would be. Both compare every byte.
 *
 * <pre>
 * CallRows ──▶ CallTreatment ── requests ──▶ CallWorker ──▶ CallClient, CallServer
 * </pre>
 */
@NullMarked
package dev.sluice.bench.calls;

import org.jspecify.annotations.NullMarked;
