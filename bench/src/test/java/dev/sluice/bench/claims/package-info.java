@NullMarked
package dev.sluice.bench.claims;

import org.jspecify.annotations.NullMarked;
