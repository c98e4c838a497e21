package dev.sluice.interop.doctor;

import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One nginx with a server for each configuration, on a port of its own. Closing ends it. */
final class NginxServers implements AutoCloseable {
    private static final Duration START_LIMIT = Waiting.LIMIT;

    /** Nothing in it is to be complained of. */
    private static final String WELL = """
            ssl_protocols TLSv1.2 TLSv1.3;
            ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20;
            ssl_session_timeout 1d;
            """;

    private final Map<String, Integer> ports = new LinkedHashMap<>();
    private final StringBuilder servers = new StringBuilder();
    private final Path directory;
    private @Nullable RunningProgram program;

    NginxServers(Path directory) {
        this.directory = directory;
    }

    /** Adds a server that is configured well but for what is said. */
    NginxServers add(String name, Credential credential, String lines) {
        return add(name, credential.chainFile(), credential.keyFile(), lines);
    }

    /** The same with the chain in another file. */
    NginxServers add(String name, Path chain, Path key, String lines) {
        return addServer(name, "ssl http2", "ssl_certificate " + chain + "; ssl_certificate_key " + key + "; " + lines);
    }

    /** Adds a server whose listen line ends in other words, without a certificate of its own. */
    NginxServers addServer(String name, String listen, String lines) {
        int port = FreePort.onLoopback();
        ports.put(name, port);
        servers.append("""
                server { listen 127.0.0.1:%d %s; %s
                    location / { return 200 "hello"; }
                    location = /big { root %s; } }
                """.formatted(port, listen, lines, directory));
        return this;
    }

    /** Starts it. */
    NginxServers start() {
        String text = """
                daemon off;
                master_process off;
                pid nginx.pid;
                error_log stderr warn;
                events { worker_connections 1024; }
                http {
                    access_log off;
                    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
                    uwsgi_temp_path uwsgi; scgi_temp_path scgi;
                    %s
                    %s
                }
                """.formatted(WELL, servers);
        try {
            Files.writeString(directory.resolve("nginx.conf"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        RunningProgram started = ForeignProgram.required("nginx", "nginx-light")
                .command("-p", directory.toString(), "-c", "nginx.conf", "-e", "stderr")
                .start();
        program = started;
        ports.values().forEach(port -> awaitPort(port, started));
        return this;
    }

    int port(String name) {
        Integer port = ports.get(name);
        if (port == null) {
            throw new IllegalArgumentException("no server of this name: " + name);
        }
        return port;
    }

    /** Waits until somebody listens. */
    static void awaitPort(int port, RunningProgram program) {
        Waiting.until(START_LIMIT, () -> accepts(port, program), () -> "does not listen on " + port + ": " + program);
    }

    private static boolean accepts(int port, RunningProgram program) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            if (!program.isRunning()) {
                throw new AssertionError("ended at once: " + program, notYet);
            }
            return false;
        }
    }

    @Override
    public void close() {
        if (program != null) {
            program.close();
        }
    }
}
