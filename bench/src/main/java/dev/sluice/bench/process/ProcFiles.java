package dev.sluice.bench.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Parsers for files under /proc; see proc(5). */
final class ProcFiles {
    /** USER_HZ, the unit of times in /proc; 100 on all current Linux architectures (sysconf(_SC_CLK_TCK)). */
    static final long TICK_NANOS = 10_000_000L;

    private ProcFiles() {}

    /** Reads a whole file of /proc. */
    static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    /**
     * Returns the CPU time from /proc/PID/stat: the process with all its threads, including ended ones.
     *
     * @param withReaped true to add that of reaped children
     * @return nanoseconds, in steps of {@link #TICK_NANOS}
     */
    static long cpuNanos(String stat, boolean withReaped) {
        // The command name in parentheses may contain anything, including spaces and parentheses.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        // Fields are counted from 1 in proc(5); state, number 3, is the first after the name.
        int last = withReaped ? 17 : 15;
        long ticks = 0;
        for (int field = 14; field <= last; field++) {
            ticks += Long.parseLong(fields[field - 3]);
        }
        return ticks * TICK_NANOS;
    }

    /** Returns the thread's name from /proc/PID/task/TID/stat, which the kernel truncates to 15 characters. */
    static String threadName(String stat) {
        return stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    }

    /** Returns whether a socket listens on a port of 127.0.0.1, from /proc/net/tcp. */
    static boolean listens(String tcp, int port) {
        // sl local_address rem_address st; addresses are hexadecimal in the machine's byte order, state 0A is LISTEN.
        return tcp.contains(" 0100007F:%04X 00000000:0000 0A ".formatted(port));
    }

    /** Returns the time on a CPU from /proc/PID/task/TID/schedstat, in nanoseconds. */
    static long runNanos(String schedstat) {
        return Long.parseLong(schedstat.substring(0, schedstat.indexOf(' ')));
    }

    /** Returns the busy time of all CPUs since boot, from /proc/stat, in nanoseconds. Stolen time counts as busy. */
    static long busyNanos(String stat) {
        String[] fields = stat.lines().findFirst().orElseThrow().trim().split(" +", -1);
        // cpu user nice system idle iowait irq softirq steal guest guest_nice; guests are included in user and nice.
        long ticks = 0;
        for (int i : List.of(1, 2, 3, 6, 7, 8)) {
            ticks += Long.parseLong(fields[i]);
        }
        return ticks * TICK_NANOS;
    }

    /** Returns a hard limit from /proc/PID/limits: "name  soft  hard  unit"; unlimited is {@link Long#MAX_VALUE}. */
    static long hardLimit(String limits, String name) {
        String line =
                limits.lines().filter(each -> each.startsWith(name)).findFirst().orElseThrow();
        String hard = line.substring(name.length()).trim().split(" +", -1)[1];
        return hard.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(hard);
    }

    /**
     * Returns the value of a line in a file like smaps_rollup or status.
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

    /** Returns the CPUs of a list such as {@code 0-3,8}, as in Cpus_allowed_list of /proc/PID/status. */
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
