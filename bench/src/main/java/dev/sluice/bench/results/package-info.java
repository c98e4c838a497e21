/**
 * Results that were kept: reading them back, comparing two runs, and the page that shows them.
 *
 * <p>{@link dev.sluice.bench.results.ResultFile} is the result of one suite, as {@link
 * dev.sluice.bench.harness.ResultLog} wrote it. {@link dev.sluice.bench.results.ResultDirectory} names the files of a
 * run, and finds the newest of each suite. {@link dev.sluice.bench.results.Comparison} distinguishes regressions from
 * noise; {@link dev.sluice.bench.results.ResultPage} draws the page of {@code ./sluice bench report}.
 * {@link dev.sluice.bench.results.PublishedProofs} are the results of {@code tools/proofs/run}, and {@link
 * dev.sluice.bench.results.MarkedPages} the documents that quote both kinds.
 *
 * <pre>
 * ResultDirectory ──▶ ResultFile ──▶ Comparison ──▶ Change
 *                          └───────▶ ResultPage ──▶ Finding
 * </pre>
 */
@NullMarked
package dev.sluice.bench.results;

import org.jspecify.annotations.NullMarked;
