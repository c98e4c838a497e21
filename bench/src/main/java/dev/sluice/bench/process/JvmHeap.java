package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The heap of another JVM, asked for by jcmd. */
public final class JvmHeap {
    // "DefNew     total 2816K, used 85K [0x…", "Tenured total 10944K, used 5011K [0x…", and the regions of metadata:
    // "Metaspace used 9876K, committed …", "class space used …". G1: "garbage-first heap   total reserved 524288K,
    // committed 34816K, used 11531K [0x…".
    private static final Pattern GENERATION =
            Pattern.compile("total (?:reserved )?\\d+K,(?: committed \\d+K,)? used (\\d+)K");

    private static final long KIB = 1024;

    private JvmHeap() {}

    /** Returns the bytes of live objects: what is used after a full collection. Requires the serial collector or G1. */
    public static long liveBytes(long pid) throws InterruptedException {
        jcmd(pid, "GC.run");
        return usedBytes(jcmd(pid, "GC.heap_info"));
    }

    private static String jcmd(long pid, String command) throws InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        return Output.of(List.of(jcmd, "-J-XX:-UsePerfData", Long.toString(pid), command), Map.of());
    }

    /** Returns the used bytes of all generations in the output of GC.heap_info. */
    static long usedBytes(String heapInfo) {
        Matcher generation = GENERATION.matcher(heapInfo);
        long used = 0;
        while (generation.find()) {
            used += Long.parseLong(generation.group(1)) * KIB;
        }
        if (used == 0) {
            throw new BenchException("no generations in the output of jcmd: " + heapInfo);
        }
        return used;
    }
}
