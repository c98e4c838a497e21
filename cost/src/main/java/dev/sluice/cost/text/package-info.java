/** Tables and numbers for display, JSON for programs. */
@NullMarked
package dev.sluice.cost.text;

import org.jspecify.annotations.NullMarked;
