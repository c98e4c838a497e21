/** The native memory of the process, and how libraries are found. */
@NullMarked
package dev.sluice.ffi;

import org.jspecify.annotations.NullMarked;
