/**
 * Raw bindings of libssl and libcrypto, and the lookup of the libraries.
 *
 * <p>One class per subject, linked when it is first used, since linking a function takes start-up time. Methods have
 * the names of the C functions; pointers are {@code long} addresses, and nothing is checked. {@link
 * dev.sluice.ffi.openssl.raw.OpenSsl} finds the libraries once per process.
 *
 * <p>Calls are as thread-safe as OpenSSL's own. Owners of what they return are in {@code dev.sluice.ffi.openssl}.
 */
@NullMarked
package dev.sluice.ffi.openssl.raw;

import org.jspecify.annotations.NullMarked;
