/** How the bindings reach native code. Not exported: only this module makes restricted calls. */
@NullMarked
package dev.sluice.ffi.internal;

import org.jspecify.annotations.NullMarked;
