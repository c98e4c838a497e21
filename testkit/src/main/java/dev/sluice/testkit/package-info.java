/** What tests share. Knows nothing of the product's modules: what it has to ask of them, it is handed. */
@NullMarked
package dev.sluice.testkit;

import org.jspecify.annotations.NullMarked;
