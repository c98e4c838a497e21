/**
 * The internals of the bindings to native code. Not exported: only this module makes restricted calls.
 *
 * <p>{@link dev.sluice.ffi.internal.NativeLibrary} is the entry: a shared library that links method handles to its
 * functions. Pointers are passed as {@code long}, since the data path works on raw addresses.
 *
 * <p>A library stays open for the lifetime of the process, and nobody closes it. Linkage happens once, when the class
 * that holds the handles is initialized; the handles may be used by any thread.
 */
@NullMarked
package dev.sluice.ffi.internal;

import org.jspecify.annotations.NullMarked;
