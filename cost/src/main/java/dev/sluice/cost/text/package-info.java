/** Tables and numbers for people, JSON for programs. */
@NullMarked
package dev.sluice.cost.text;

import org.jspecify.annotations.NullMarked;
