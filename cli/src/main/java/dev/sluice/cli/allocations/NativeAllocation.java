package dev.sluice.cli.allocations;

import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Throttle;

/** The event of one allocation; a share of them is recorded when there are many. */
@Name(NativeAllocation.NAME)
@Label("Native Allocation")
@Description("Native memory that Java code allocates")
@StackTrace
@Throttle
public final class NativeAllocation extends Event {
    /** The name in a recording. */
    static final String NAME = "dev.sluice.NativeAllocation";

    /** The allocated bytes. */
    long byteSize;

    /** The name of an {@link AllocationSource}. */
    String source = "";

    /** Creates an event; nothing is recorded yet. */
    public NativeAllocation() {}
}
