/**
 * The load generator, in its own process, and its scenarios.
 *
 * <p>{@link dev.sluice.bench.load.LoadProcess} is the generator as seen from the harness; {@link
 * dev.sluice.bench.load.LoadRequest} describes the load. {@link dev.sluice.bench.load.LoadMain} is the entry of the
 * process, which also contains the backend. Each {@link dev.sluice.bench.load.Scenario} is one kind of load, over plain
 * TCP or TLS as set by {@link dev.sluice.bench.load.TlsProfile}.
 *
 * <p>Connections are confined to the thread of their dialer, and the backend has one thread of its own. Calls to the
 * process block until it answers.
 *
 * <pre>
 * LoadProcess ── pipe ──▶ LoadMain ── connections ──▶ server under test ──▶ backend in LoadMain
 * </pre>
 */
@NullMarked
package dev.sluice.bench.load;

import org.jspecify.annotations.NullMarked;
