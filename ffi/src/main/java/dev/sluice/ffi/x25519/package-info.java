/**
 * X25519 (RFC 7748 section 5) by a shared library that is faster than OpenSSL, where one is installed.
 *
 * <p>{@link dev.sluice.ffi.x25519.X25519Library} finds lib25519, or the library that a system property names, when it
 * is first needed. {@link dev.sluice.ffi.x25519.KnownAnswers} are what it must compute before it is used: a library
 * that computes anything else is refused, and OpenSSL remains. {@link dev.sluice.ffi.x25519.X25519Function} is what it
 * has in common with OpenSSL.
 *
 * <p>A library is open for the lifetime of the process and holds no state; its functions may be called by any thread.
 */
@NullMarked
package dev.sluice.ffi.x25519;

import org.jspecify.annotations.NullMarked;
