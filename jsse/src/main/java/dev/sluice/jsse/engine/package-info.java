/**
 * The {@code SSLEngine}: a state machine over libssl during the handshake, and over our own records after it.
 *
 * <p>Start reading at {@link dev.sluice.jsse.engine.SluiceEngine}, which holds the lock and the states. {@link
 * dev.sluice.jsse.engine.NativeConnection} owns the native state, {@link dev.sluice.jsse.engine.HandshakeDecisions}
 * asks the managers of the platform, and {@link dev.sluice.jsse.engine.RecordWriter} and {@link
 * dev.sluice.jsse.engine.RecordReader} move application data between the caller's buffers.
 */
@NullMarked
package dev.sluice.jsse.engine;

import org.jspecify.annotations.NullMarked;
