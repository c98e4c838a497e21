package dev.sluice.config.model;

/** The PROXY headers that a backend can receive before the first byte of the stream. */
public enum ProxyProtocol {
    /** No header: for servers that do not expect one. */
    NONE,
    /** The line of PROXY protocol version 1: the addresses. */
    V1,
    /** The binary header of PROXY protocol version 2: the addresses, ALPN, server name and TLS facts. */
    V2
}
