/**
 * The PROXY protocol, versions 1 and 2: the header that passes the client's address and TLS facts to a backend.
 *
 * <p>{@link dev.sluice.gateway.proxyprotocol.ProxyHeader} is the entry: it is read from a stream and written as either
 * version. {@link dev.sluice.gateway.proxyprotocol.TlsFacts} describes the client's TLS connection, in version 2 only.
 * {@link dev.sluice.gateway.proxyprotocol.HeaderLength} finds the end of a header in bytes that may be incomplete.
 *
 * <p>Headers are immutable values. Reading from a stream blocks, and invalid input throws {@link
 * dev.sluice.gateway.proxyprotocol.ProxyProtocolException}.
 *
 * <pre>
 * client ── TLS ──▶ gateway ── PROXY header, plaintext ──▶ backend
 * </pre>
 */
@NullMarked
package dev.sluice.gateway.proxyprotocol;

import org.jspecify.annotations.NullMarked;
