/** Shared test utilities. Independent of the product's modules, whose services are passed in as functions. */
@NullMarked
package dev.sluice.testkit;

import org.jspecify.annotations.NullMarked;
