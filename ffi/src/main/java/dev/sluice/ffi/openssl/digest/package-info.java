/**
 * Hashes and checksums over native memory in place: what compares and checks the contents of files.
 *
 * <p>Each instance takes one message after another, owns its context and its scratch memory, allocates nothing after
 * its creation, and is confined to one thread at a time. Both fail with OpenSSL's own error.
 *
 * <p>{@code Sha256} compares contents that lie somewhere already, whoever wrote them. {@code Gmac} finds faults on the
 * way between two sides that know its key; it is no defence against them.
 */
@NullMarked
package dev.sluice.ffi.openssl.digest;

import org.jspecify.annotations.NullMarked;
