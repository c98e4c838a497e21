/** Alerts: thresholds that the gateway holds its own metrics to, and what to do first when one is crossed. */
@NullMarked
package dev.sluice.gateway.alerts;

import org.jspecify.annotations.NullMarked;
