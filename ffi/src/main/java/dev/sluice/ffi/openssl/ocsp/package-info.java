/**
 * Questions to OCSP responders about certificates, and the check of their answers (RFC 6960).
 *
 * <p>{@link dev.sluice.ffi.openssl.ocsp.OcspQuestion} encodes a question about one certificate. It accepts an answer
 * that the issuer has signed, or a responder that the issuer has authorized, that is about this certificate, and that
 * is valid now. It does not speak to responders: the transport is the caller's.
 *
 * <pre>
 * certificate, issuer ──▶ OcspQuestion ── request, DER ──▶ responder
 *                              ▲                              │
 *                              └────── response, DER ◀────────┘
 * </pre>
 */
@NullMarked
package dev.sluice.ffi.openssl.ocsp;

import org.jspecify.annotations.NullMarked;
