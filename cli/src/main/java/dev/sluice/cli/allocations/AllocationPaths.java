package dev.sluice.cli.allocations;

import dev.sluice.cli.command.FigureText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/** The allocations of a recording, summed up by call path. */
final class AllocationPaths {
    private static final String OWN = AllocationRecorder.class.getName();

    private final int frames;
    private final Map<CallPath, Sum> paths = new HashMap<>();
    private final Sum recorded = new Sum();
    private final Sum all = new Sum();

    private AllocationPaths(int frames) {
        this.frames = frames;
    }

    /**
     * The way to an allocation.
     *
     * @param frames the methods, the innermost first
     */
    private record CallPath(AllocationSource source, List<String> frames) {}

    /** Allocations and their bytes. */
    private static final class Sum {
        private long count;
        private long bytes;

        void add(long count, long bytes) {
            this.count += count;
            this.bytes += bytes;
        }
    }

    /**
     * Reads a recording.
     *
     * @param frames methods of a path; two paths are the same if these are
     */
    static AllocationPaths read(Path recording, int frames) throws IOException {
        AllocationPaths paths = new AllocationPaths(frames);
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                paths.add(file.readEvent());
            }
        }
        return paths;
    }

    private void add(RecordedEvent event) {
        switch (event.getEventType().getName()) {
            case NativeAllocation.NAME -> {
                long bytes = event.getLong("byteSize");
                AllocationSource source = AllocationSource.valueOf(event.getString("source"));
                paths.computeIfAbsent(new CallPath(source, frames(event.getStackTrace())), _ -> new Sum())
                        .add(1, bytes);
                recorded.add(1, bytes);
            }
            case AllocationTotals.NAME -> all.add(event.getLong("count"), event.getLong("byteSize"));
            default -> {
                // The JVM adds events about the recording itself.
            }
        }
    }

    private List<String> frames(RecordedStackTrace trace) {
        if (trace == null) {
            return List.of("(no stack trace)");
        }
        return trace.getFrames().stream()
                .filter(frame -> frame.isJavaFrame()
                        && !frame.getMethod().getType().getName().equals(OWN))
                .limit(frames)
                .map(AllocationPaths::text)
                .toList();
    }

    private static String text(RecordedFrame frame) {
        String line = frame.getLineNumber() < 0 ? "" : ":" + frame.getLineNumber();
        return frame.getMethod().getType().getName() + "." + frame.getMethod().getName() + line;
    }

    /**
     * Returns the report: a line with the totals, then the paths with the most bytes.
     *
     * @param seconds duration of the recording
     * @param most number of paths
     */
    List<String> lines(long seconds, int most) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%s in %,d native allocations within %d s",
                FigureText.bytes((double) all.bytes),
                all.count,
                seconds));
        if (recorded.count < all.count) {
            lines.add(String.format(
                    Locale.ROOT,
                    "Paths are from a sample of %,d of them, and their figures are estimates.",
                    recorded.count));
        }
        paths.entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<CallPath, Sum> path) -> path.getValue().bytes)
                        .reversed())
                .limit(most)
                .forEach(path -> describe(path.getKey(), path.getValue(), lines));
        return lines;
    }

    private void describe(CallPath path, Sum sum, List<String> lines) {
        double scale = (double) all.count / recorded.count;
        lines.add("");
        lines.add(String.format(
                Locale.ROOT,
                "%s (%s) in %,.0f: %s",
                FigureText.bytes(sum.bytes * scale),
                FigureText.percent((double) sum.bytes / recorded.bytes),
                sum.count * scale,
                path.source.label()));
        path.frames.forEach(frame -> lines.add("    " + frame));
    }
}
