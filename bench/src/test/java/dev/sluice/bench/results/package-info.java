@NullMarked
package dev.sluice.bench.results;

import org.jspecify.annotations.NullMarked;
