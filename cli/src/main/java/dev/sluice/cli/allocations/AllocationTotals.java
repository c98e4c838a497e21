package dev.sluice.cli.allocations;

import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The event at the end of a recording: what was allocated, recorded or not. */
@Name(AllocationTotals.NAME)
@Label("Native Allocation Totals")
@Description("All native memory that Java code allocated during a recording")
@StackTrace(false)
public final class AllocationTotals extends Event {
    /** The name in a recording. */
    static final String NAME = "dev.sluice.AllocationTotals";

    /** The number of allocations. */
    long count;

    /** Their bytes. */
    long byteSize;

    /** Creates an event; nothing is recorded yet. */
    public AllocationTotals() {}
}
