/** {@code sluice doctor} against servers that others wrote, configured well and badly. */
@NullMarked
package dev.sluice.interop.doctor;

import org.jspecify.annotations.NullMarked;
