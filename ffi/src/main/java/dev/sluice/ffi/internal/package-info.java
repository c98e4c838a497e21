/** The internals of the bindings to native code. Not exported: only this module makes restricted calls. */
@NullMarked
package dev.sluice.ffi.internal;

import org.jspecify.annotations.NullMarked;
