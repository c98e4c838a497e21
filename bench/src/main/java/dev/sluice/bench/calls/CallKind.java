package dev.sluice.bench.calls;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.record.path.Credentials;
import dev.sluice.bench.record.path.JdkEngines;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import java.io.IOException;
import java.nio.file.Path;

/** The rows of the comparison. */
enum CallKind {
    PLAIN("plain socket", Role.FLOOR),
    CALLS("Sluice calls", Role.SUBJECT),
    JDK("JDK SSLSocket", Role.PEER),
    GRPC("gRPC on a Sluice channel", Role.SUBJECT),
    GRPC_JDK("gRPC on JDK SSLSocket", Role.PEER),
    /** The control of {@link #CALLS}. */
    CALLS_AGAIN("Sluice calls", Role.CONTROL);

    private static final String SUITE = "TLS_AES_256_GCM_SHA384";

    private final String title;
    private final Role role;

    CallKind(String title, Role role) {
        this.title = title;
        this.role = role;
    }

    Identity identity() {
        return role == Role.CONTROL ? Identity.controlOf(title) : Identity.of(title, role);
    }

    /** Returns the library that protects the bytes. */
    String library() {
        return switch (this) {
            case PLAIN -> "no encryption";
            case CALLS, CALLS_AGAIN -> OpenSsl.require().version();
            case JDK -> "JDK " + Runtime.version();
            case GRPC -> GrpcExchange.library() + ", " + OpenSsl.require().version();
            case GRPC_JDK -> GrpcExchange.library() + ", JDK " + Runtime.version();
        };
    }

    /** Listens for one connection. */
    CallServer listen(CallShape shape, Credentials credentials, Path directory) throws IOException {
        return switch (this) {
            case PLAIN -> PlainEnd.listen(shape);
            case CALLS, CALLS_AGAIN -> new SluiceServer(shape, directory);
            case JDK -> TlsEnd.listen(shape, new JdkEngines(SUITE, credentials));
            case GRPC -> GrpcSockets.channelServer(shape, directory);
            case GRPC_JDK -> GrpcSockets.tlsServer(shape, new JdkEngines(SUITE, credentials));
        };
    }

    /** Connects to the server in another process; the caller closes. */
    CallClient connect(CallShape shape, Credentials credentials, Path directory, int port) throws IOException {
        return switch (this) {
            case PLAIN -> new StreamClient(shape, PlainEnd.connect(port, Payload.of(shape)));
            case CALLS, CALLS_AGAIN -> new SluiceClient(shape, directory, port);
            case JDK ->
                new StreamClient(shape, TlsEnd.connect(port, new JdkEngines(SUITE, credentials), Payload.of(shape)));
            case GRPC -> GrpcSockets.overChannel(shape, directory, port);
            case GRPC_JDK -> GrpcSockets.overTls(shape, new JdkEngines(SUITE, credentials), port);
        };
    }
}
