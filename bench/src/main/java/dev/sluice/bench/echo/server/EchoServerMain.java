package dev.sluice.bench.echo.server;

import dev.sluice.net.EventLoop;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The process of one echo server. Prints {@code ok library=…} when ready, answers {@code port} with {@code ok port=…},
 * and exits at the end of its input, so that it never outlives its parent.
 */
public final class EchoServerMain {
    private EchoServerMain() {}

    /**
     * Runs the server.
     *
     * @param arguments the name of an {@link EchoKind}
     */
    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (RunningEcho echo = start(EchoKind.valueOf(arguments[0]))) {
            out.println("ok library=" + echo.describe());
            answer(echo, out);
        } catch (RuntimeException e) {
            out.println("error " + e.getMessage());
        }
    }

    private static void answer(RunningEcho echo, PrintStream out) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line;
        while ((line = in.readLine()) != null) {
            out.println(line.equals("port") ? "ok port=" + echo.port() : "error unknown command, line=" + line);
        }
    }

    private static RunningEcho start(EchoKind kind) throws Exception {
        return switch (kind) {
            case SELECTOR -> SelectorEcho.start();
            case NETTY_NIO -> NettyEcho.onNio();
            case NETTY_IO_URING -> NettyEcho.onIoUring();
            case SLUICE_EPOLL -> SluiceEcho.on(EventLoop.Backend.EPOLL);
            case SLUICE_IO_URING -> SluiceEcho.on(EventLoop.Backend.IO_URING);
        };
    }
}
