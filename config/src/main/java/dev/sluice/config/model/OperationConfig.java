package dev.sluice.config.model;

import dev.sluice.config.log.LogConfig;

/**
 * The process around the gateway, as its operators control it.
 *
 * @param log the log
 */
public record OperationConfig(LogConfig log) {
    /** The default of everything. */
    public static final OperationConfig DEFAULT = new OperationConfig(LogConfig.DEFAULT);
}
