/** The process's native memory. */
@NullMarked
package dev.sluice.ffi;

import org.jspecify.annotations.NullMarked;
