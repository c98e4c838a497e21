package dev.sluice.cli.admin;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.StandardOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A request to a running gateway over its admin socket. */
abstract class AdminVerb implements Callable<Integer> {
    private static final String OK = "ok\n";
    private static final String ERROR = "error\n";

    @Option(
            names = {"-a", "--admin"},
            required = true,
            paramLabel = "PATH",
            description = "The gateway's admin socket: /path or unix:/path.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String admin;

    @Mixin
    private final StandardOptions standard = new StandardOptions();

    /** Returns the request line for the gateway. */
    abstract String line();

    @Override
    public Integer call() throws IOException {
        String path = admin.startsWith("unix:") ? admin.substring("unix:".length()) : admin;
        String answer = ask(Path.of(path), line());
        PrintWriter out = standard.out();
        if (answer.startsWith(OK)) {
            out.print(answer.substring(OK.length()));
            out.flush();
            return ExitCode.OK;
        }
        throw new RefusedException(
                answer.startsWith(ERROR)
                        ? answer.substring(ERROR.length()).strip()
                        : "what listens on " + path + " is no gateway's admin socket; check the path after --admin");
    }

    private static String ask(Path path, String line) throws IOException {
        try (SocketChannel gateway = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                gateway.write(bytes);
            }
            return new String(Channels.newInputStream(gateway).readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketException e) {
            throw new RefusedException("no gateway answers on " + path + " (" + e.getMessage()
                    + "); check that it runs with admin: unix:" + path
                    + " in its configuration, and run this command as the gateway's user");
        }
    }
}
