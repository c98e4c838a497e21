package dev.sluice.cli;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.ffi.openssl.raw.OpenSslNotFoundException;
import dev.sluice.ffi.x25519.X25519Library;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.loop.EventLoops;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;

/** The command that shows the versions in use: ours, the JVM's, OpenSSL's, the transport. */
@Command(name = "version", description = "Shows the versions in use and their features.")
final class VersionCommand implements Callable<Integer> {
    @Mixin
    private final StandardOptions standard = new StandardOptions();

    @Override
    public Integer call() {
        PrintWriter out = standard.out();
        out.println("sluice    " + version());
        out.println("java      " + Runtime.version() + " from " + System.getProperty("java.home"));
        out.println("openssl   " + OpenSsl.require().describe());
        out.println("x25519    " + X25519Library.ofProcess().description());
        try (EventLoop loop = EventLoops.start(EventLoopConfig.defaults())) {
            out.println("transport " + loop.backendReason());
        }
        out.flush();
        return ExitCode.OK;
    }

    /** The version provider of {@code sluice --version}. */
    static final class Provider implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"sluice " + version(), openSsl()};
        }

        /** A program without its library still has a version. */
        private static String openSsl() {
            try {
                return OpenSsl.require().describe()
                        + System.lineSeparator()
                        + X25519Library.ofProcess().description();
            } catch (OpenSslNotFoundException e) {
                return String.valueOf(e.getMessage());
            }
        }
    }

    private static String version() {
        return VersionCommand.class.getModule().getDescriptor().rawVersion().orElse("(not built as a module)");
    }
}
