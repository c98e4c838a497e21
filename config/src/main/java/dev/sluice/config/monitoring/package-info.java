/**
 * The values of the sections {@code alerts} and {@code metrics}.
 *
 * <p>{@link dev.sluice.config.monitoring.AlertConfig} has the alerts that are on, each an {@link
 * dev.sluice.config.monitoring.AlertName}, with the values that they fire at. {@link
 * dev.sluice.config.monitoring.OtlpConfig} has the collector that metrics are pushed to.
 *
 * <p>Immutable, and may be shared by all threads.
 */
@NullMarked
package dev.sluice.config.monitoring;

import org.jspecify.annotations.NullMarked;
