package dev.sluice.gateway.alerts;

import java.util.List;

/** A source of alerts. May be asked by any thread at any time; takes no lock that a loop could wait for. */
@FunctionalInterface
public interface AlertSource {
    /** No alerts: none is watched for. */
    AlertSource NONE = List::of;

    /**
     * Returns the current status of each enabled alert, in the order of docs/alerts.md; those that are off are absent.
     */
    List<AlertStatus> alerts();
}
