/**
 * The bindings of libzstd: frames of RFC 8878, compressed and decompressed in one call each, over native memory.
 *
 * <p>{@link dev.sluice.ffi.zstd.Zstd} finds the system's library when it is first needed; a process that compresses
 * nothing does without it. {@link dev.sluice.ffi.zstd.ZstdCompressor} and {@link
 * dev.sluice.ffi.zstd.ZstdDecompressor} own a context each and reuse it, one frame after another.
 *
 * <p>Input of a peer is never trusted: a decompressor writes no byte beyond the length that its caller expects, and
 * keeps no window of a size that the peer chooses.
 */
@NullMarked
package dev.sluice.ffi.zstd;

import org.jspecify.annotations.NullMarked;
