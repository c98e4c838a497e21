/** Presentation of measurements: tables, and a page with plots. */
@NullMarked
package dev.sluice.cost.report;

import org.jspecify.annotations.NullMarked;
