package dev.sluice.config.model;

import dev.sluice.config.log.LogConfig;
import dev.sluice.config.monitoring.OtlpConfig;
import org.jspecify.annotations.Nullable;

/**
 * The process around the gateway, as its operators control it.
 *
 * @param log the log
 * @param otlp the push of metrics; null: none
 * @param user the user that a process of root becomes; null: none
 */
public record OperationConfig(
        LogConfig log, @Nullable OtlpConfig otlp, @Nullable String user) {
    /** The default of everything. */
    public static final OperationConfig DEFAULT = new OperationConfig(LogConfig.DEFAULT, null, null);
}
