/**
 * TLS clients on event loops of their own.
 *
 * <p>{@link dev.sluice.net.client.TlsClient#builder()} is the entry. A client looks names up on virtual threads,
 * connects to the addresses of both families in the order of RFC 8305, verifies the server's certificate and name
 * against the JDK's trust store, the system's, or given authorities, and resumes sessions.
 *
 * <p>Clients may be used from any thread. Handlers are called on the loop of their connection; what a connect needs
 * until then is confined to that loop, too.
 */
@NullMarked
package dev.sluice.net.client;

import org.jspecify.annotations.NullMarked;
