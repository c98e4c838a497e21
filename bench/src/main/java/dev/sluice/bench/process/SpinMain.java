package dev.sluice.bench.process;

/** The process that keeps a core awake: gives the core away each time, and takes it again if no other wants it. */
final class SpinMain {
    private SpinMain() {}

    /** Runs until the process is ended. */
    @SuppressWarnings("ThreadPriorityCheck") // To give the core away is what this process is for.
    public static void main(String[] arguments) {
        while (true) {
            Thread.yield();
        }
    }
}
