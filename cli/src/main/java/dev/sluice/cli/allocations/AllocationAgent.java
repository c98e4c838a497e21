package dev.sluice.cli.allocations;

import java.lang.instrument.Instrumentation;

/**
 * The entry point in the other JVM. It passes on to the {@link AllocationRecorder} of the boot loader, the only copy
 * that classes of {@code java.base} can call. That JVM may hold another copy, if it runs Sluice itself.
 */
public final class AllocationAgent {
    private AllocationAgent() {}

    /** Called by the JVM after the classes have been appended to those of the boot loader. */
    public static void agentmain(String arguments, Instrumentation instrumentation)
            throws ReflectiveOperationException {
        Class.forName("dev.sluice.cli.allocations.AllocationRecorder", true, null)
                .getMethod("run", String.class, Instrumentation.class)
                .invoke(null, arguments, instrumentation);
    }
}
