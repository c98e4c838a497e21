/**
 * X25519 (RFC 7748 section 5) by a shared library that is faster than OpenSSL, where one is installed.
 *
 * <p>{@link dev.sluice.ffi.x25519.X25519Library} finds lib25519, or the library that a system property names, when it
 * is first needed, and refuses one that computes wrong results. {@link dev.sluice.ffi.x25519.X25519Function} is what
 * it has in common with OpenSSL.
 */
@NullMarked
package dev.sluice.ffi.x25519;

import org.jspecify.annotations.NullMarked;
