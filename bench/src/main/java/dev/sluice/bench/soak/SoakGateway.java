package dev.sluice.bench.soak;

import com.sun.management.ThreadMXBean;
import dev.sluice.config.read.ConfigFile;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.certificate.OpenSslCheck;
import dev.sluice.gateway.log.GatewayLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The gateway's process. Prints {@code ok library=…} when ready, answers {@code heap} with {@code ok allocated=… used=…
 * thread:NAME=…}, and exits at the end of its input.
 *
 * <p>The JVM counts the allocations of every thread exactly; those of this thread's answers are subtracted. No request
 * is made under load.
 */
public final class SoakGateway {
    private SoakGateway() {}

    /**
     * Runs the gateway.
     *
     * @param arguments the configuration's file
     */
    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (OpenSslCheck check = new OpenSslCheck();
                Gateway gateway =
                        Gateway.start(ConfigFile.read(Path.of(arguments[0]), check), GatewayLog.NONE, check)) {
            out.println("ok library=" + gateway.transport());
            answer(out);
        } catch (RuntimeException e) {
            out.println("error " + e.getMessage());
        }
    }

    private static void answer(PrintStream out) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        String line;
        while ((line = in.readLine()) != null) {
            out.println(line.equals("heap") ? heap(threads) : "error unknown command, line=" + line);
        }
    }

    private static String heap(ThreadMXBean threads) {
        long self = Thread.currentThread().threadId();
        long allocated = threads.getTotalThreadAllocatedBytes() - threads.getCurrentThreadAllocatedBytes();
        long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        StringBuilder answer = new StringBuilder("ok allocated=" + allocated + " used=" + used);
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadId() != self) {
                answer.append(' ')
                        .append(Memory.THREAD)
                        .append(thread.getThreadName().replace(' ', '-').replace('=', '-'))
                        .append('=')
                        .append(threads.getThreadAllocatedBytes(thread.getThreadId()));
            }
        }
        return answer.toString();
    }
}
