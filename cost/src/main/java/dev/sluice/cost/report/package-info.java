/**
 * The presentation of measurements and plans: text for a terminal, JSON, and a page with plots.
 *
 * <p>{@link dev.sluice.cost.report.CostTables} prints a measurement as tables. {@link
 * dev.sluice.cost.report.HtmlReport} makes one self-contained page with plots, drawn by {@link
 * dev.sluice.cost.report.Chart} and {@link dev.sluice.cost.report.Bars} as inline SVG and HTML. {@link
 * dev.sluice.cost.report.Svg} writes all charts, those of benchmarks too. {@link dev.sluice.cost.report.PlanText}
 * prints a plan and the effect of each configuration change, as text or JSON.
 *
 * <p>The classes return text and do no I/O. They read immutable figures and keep no shared state.
 */
@NullMarked
package dev.sluice.cost.report;

import org.jspecify.annotations.NullMarked;
