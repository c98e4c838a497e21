package dev.sluice.gateway.config;

/** What a backend is told of the client before the first byte of the stream. */
public enum ProxyProtocol {
    /** Nothing: right for servers that do not expect a header. */
    NONE,
    /** The line of PROXY protocol version 1: the addresses. */
    V1,
    /** The binary header of PROXY protocol version 2: the addresses, ALPN, server name and TLS facts. */
    V2
}
