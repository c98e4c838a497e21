/** The PROXY protocol, versions 1 and 2: how a backend learns of the client and of its TLS connection. */
@NullMarked
package dev.sluice.gateway.proxyprotocol;

import org.jspecify.annotations.NullMarked;
