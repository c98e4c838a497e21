/**
 * TLS servers on event loops of their own.
 *
 * <p>{@link dev.sluice.net.server.TlsServer#builder()} is the entry: a certificate, an address and a handler make a
 * server. It accepts on each of its loops, copies the TLS configuration for each, rotates the keys of session tickets,
 * reloads certificates, and drains when it is closed.
 *
 * <p>Servers may be used from any thread. Handlers are called on the loop of their connection.
 */
@NullMarked
package dev.sluice.net.server;

import org.jspecify.annotations.NullMarked;
