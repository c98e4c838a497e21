package dev.sluice.bench.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Parsers for what the kernel tells under /proc; see proc(5). */
final class ProcFiles {
    /** USER_HZ, the unit of times in /proc; 100 on every Linux of today's architectures (sysconf(_SC_CLK_TCK)). */
    static final long TICK_NANOS = 10_000_000L;

    private ProcFiles() {}

    /** Reads a file of /proc, whole. */
    static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    /**
     * CPU time from /proc/PID/stat: the process with all its threads, ended ones too.
     *
     * @param withReaped whether to add that of children which ended and were waited for
     * @return nanoseconds, in steps of {@link #TICK_NANOS}
     */
    static long cpuNanos(String stat, boolean withReaped) {
        // The command name in parentheses may hold anything, spaces and parentheses too.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        // Fields are counted from 1 in proc(5); state, number 3, is the first behind the name.
        int last = withReaped ? 17 : 15;
        long ticks = 0;
        for (int field = 14; field <= last; field++) {
            ticks += Long.parseLong(fields[field - 3]);
        }
        return ticks * TICK_NANOS;
    }

    /** The thread's name from /proc/PID/task/TID/stat, of which the kernel keeps 15 characters. */
    static String threadName(String stat) {
        return stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    }

    /** The time on a CPU from /proc/PID/task/TID/schedstat, in nanoseconds. */
    static long runNanos(String schedstat) {
        return Long.parseLong(schedstat.substring(0, schedstat.indexOf(' ')));
    }

    /** The time all CPUs together were busy since boot, from /proc/stat, in nanoseconds. Stolen time counts as busy. */
    static long busyNanos(String stat) {
        String[] fields = stat.lines().findFirst().orElseThrow().trim().split(" +", -1);
        // cpu user nice system idle iowait irq softirq steal guest guest_nice; guests are in user and nice already.
        long ticks = 0;
        for (int i : List.of(1, 2, 3, 6, 7, 8)) {
            ticks += Long.parseLong(fields[i]);
        }
        return ticks * TICK_NANOS;
    }

    /** A hard limit out of /proc/PID/limits: "name  soft  hard  unit"; unlimited is {@link Long#MAX_VALUE}. */
    static long hardLimit(String limits, String name) {
        String line =
                limits.lines().filter(each -> each.startsWith(name)).findFirst().orElseThrow();
        String hard = line.substring(name.length()).trim().split(" +", -1)[1];
        return hard.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(hard);
    }

    /**
     * One line of a file like smaps_rollup or status.
     *
     * @param key without the colon
     * @return bytes
     */
    static long kilobytes(String text, String key) {
        return text.lines()
                .filter(line -> line.startsWith(key + ":"))
                .mapToLong(line -> Long.parseLong(line.substring(key.length() + 1)
                                .replace("kB", "")
                                .trim())
                        * 1024)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such line, key=" + key));
    }

    /** The CPUs of a list such as {@code 0-3,8}, as in Cpus_allowed_list of /proc/PID/status. */
    static List<Integer> cpuList(String list) {
        return java.util.Arrays.stream(list.trim().split(",", -1))
                .flatMap(range -> {
                    String[] ends = range.split("-", -1);
                    int first = Integer.parseInt(ends[0]);
                    int last = Integer.parseInt(ends[ends.length - 1]);
                    return java.util.stream.IntStream.rangeClosed(first, last).boxed();
                })
                .toList();
    }
}
