/** The cost of many certificates: time until they are served, and memory. */
@NullMarked
package dev.sluice.bench.certificates;

import org.jspecify.annotations.NullMarked;
