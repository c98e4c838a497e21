package dev.sluice.bench.transfer;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.record.path.Credentials;
import dev.sluice.bench.record.path.JdkEngines;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The rows of the comparison. */
enum PipeKind {
    PLAIN("plain socket", Role.FLOOR),
    CHANNEL("Sluice channel", Role.SUBJECT),
    ENGINE("JDK SSLEngine", Role.PEER),
    SOCKET("JDK SSLSocket", Role.PEER),
    /** The control of {@link #CHANNEL}. */
    CHANNEL_AGAIN("Sluice channel", Role.CONTROL);

    /** The cipher suite of all rows. */
    static final String SUITE = "TLS_AES_256_GCM_SHA384";

    private final String title;
    private final Role role;

    PipeKind(String title, Role role) {
        this.title = title;
        this.role = role;
    }

    Identity identity() {
        return role == Role.CONTROL ? Identity.controlOf(title) : Identity.of(title, role);
    }

    /** Returns the rows for a kind of socket. */
    static List<PipeKind> over(Wire wire) {
        return wire == Wire.TCP ? List.of(values()) : List.of(PLAIN, CHANNEL, ENGINE, CHANNEL_AGAIN);
    }

    /** Returns the library that protects the bytes. */
    String library() {
        return switch (this) {
            case PLAIN -> "no encryption";
            case CHANNEL, CHANNEL_AGAIN -> OpenSsl.require().version();
            case ENGINE, SOCKET -> "JDK " + Runtime.version();
        };
    }

    /** Connects both ends; the caller closes them. */
    Pipe open(Wire wire, MemorySegment block, Credentials credentials) throws IOException {
        return switch (this) {
            case PLAIN -> new PlainPipe(wire, block);
            case CHANNEL, CHANNEL_AGAIN -> new ChannelPipe(wire, block);
            case ENGINE -> new EnginePipe(wire, block, new JdkEngines(SUITE, credentials));
            case SOCKET -> new SocketPipe(block, new JdkEngines(SUITE, credentials));
        };
    }
}
