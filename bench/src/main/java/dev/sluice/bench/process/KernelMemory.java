package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory of the machine's kernel.
 *
 * @param slab bytes of kernel objects: sockets, files, inodes, pending operations; Slab in /proc/meminfo
 * @param sockets TCP sockets in use; "TCP: inuse" in /proc/net/sockstat
 * @param buffers bytes of the TCP sockets' buffers; "mem" there, in pages
 */
public record KernelMemory(long slab, long sockets, long buffers) {
    private static final long PAGE_BYTES = 4096;
    private static final Pattern TCP = Pattern.compile("(?m)^TCP: inuse (\\d+) .* mem (\\d+)$");

    /** Reads it. */
    public static KernelMemory now() {
        try {
            return of(ProcFiles.read(Path.of("/proc/meminfo")), ProcFiles.read(Path.of("/proc/net/sockstat")));
        } catch (IOException e) {
            throw new BenchException("cannot read the kernel's memory under /proc: " + e.getMessage(), e);
        }
    }

    /** Parses the texts of the two files. */
    static KernelMemory of(String meminfo, String sockstat) {
        Matcher tcp = TCP.matcher(sockstat);
        if (!tcp.find()) {
            throw new BenchException("no line of TCP in /proc/net/sockstat: " + sockstat);
        }
        return new KernelMemory(
                ProcFiles.kilobytes(meminfo, "Slab"),
                Long.parseLong(tcp.group(1)),
                Long.parseLong(tcp.group(2)) * PAGE_BYTES);
    }
}
