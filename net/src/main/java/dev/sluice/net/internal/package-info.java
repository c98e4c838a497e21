/**
 * Transports, connections, listeners, and the loop that runs them. Not for users.
 *
 * <pre>
 *   Loop ──▶ Transport (UringTransport, EpollTransport) ──▶ Endpoint ◀── StreamListener
 *                                                               ▲
 *   handler ◀── TlsStream ◀── TlsPath (EnginePath, RecordPath) ◀── StreamConnection
 * </pre>
 *
 * <p>Read {@link dev.sluice.net.internal.Loop} first, then {@link dev.sluice.net.internal.Transport} and
 * {@link dev.sluice.net.internal.StreamConnection}. All of it is confined to the loop's thread, but for
 * {@link dev.sluice.net.internal.TaskQueue}.
 */
@org.jspecify.annotations.NullMarked
package dev.sluice.net.internal;
