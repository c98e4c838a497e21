/**
 * TLS engines over native OpenSSL, and their state machine.
 *
 * <pre>
 *   MemoryEngine (libssl over a BIO pair)      DescriptorEngine (libssl owns the descriptor)
 *        │ detach, after the handshake
 *        ▼
 *   RecordEngine / DirectRecords (records sealed and opened by dev.sluice.tls.record)
 * </pre>
 *
 * <p>{@link dev.sluice.tls.engine.DirectEngine} is the usual entry. States and events are a table,
 * {@link dev.sluice.tls.engine.StateMachine}. An engine is confined to one thread;
 * {@link dev.sluice.tls.engine.LoopCrypto} is what the engines of one event loop share.
 */
@NullMarked
package dev.sluice.tls.engine;

import org.jspecify.annotations.NullMarked;
