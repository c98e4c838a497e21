/** Programs that docs/guide/embedding.md shows; a test runs them and compares the page. */
@NullMarked
package dev.sluice.interop.example;

import org.jspecify.annotations.NullMarked;
