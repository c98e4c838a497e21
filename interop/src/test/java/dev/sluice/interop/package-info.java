/** Sluice against programs that we did not write, and the rules that its own modules keep. */
@NullMarked
package dev.sluice.interop;

import org.jspecify.annotations.NullMarked;
