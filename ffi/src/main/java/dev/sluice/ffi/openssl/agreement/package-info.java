/**
 * The asymmetric steps of a TLS 1.3 server without libssl: the key agreement with a client's share, and the signature
 * of CertificateVerify.
 *
 * <p>Contexts and parameters that handshakes can share are created once; keys are created for one handshake, used once
 * and freed. Everything here is confined to one thread, except that a {@link dev.sluice.ffi.openssl.EvpPkey} may sign
 * on any.
 */
@org.jspecify.annotations.NullMarked
package dev.sluice.ffi.openssl.agreement;
