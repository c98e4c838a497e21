package dev.sluice.jsse.socket;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A combination that each test of the suite runs in. The peer is SunJSSE always.
 *
 * @param kind the implementation under test
 * @param version the version of TLS
 * @param role its role
 */
record SocketCase(SocketKind kind, String version, Role role) {
    private static final List<String> VERSIONS = List.of("TLSv1.3", "TLSv1.2");

    /** The roles of a socket in the handshake. */
    enum Role {
        /** Sends the ClientHello. */
        CLIENT,
        /** Answers it. */
        SERVER
    }

    static Stream<SocketCase> all() {
        return Arrays.stream(SocketKind.values())
                .flatMap(kind -> VERSIONS.stream()
                        .flatMap(version ->
                                Arrays.stream(Role.values()).map(role -> new SocketCase(kind, version, role))));
    }

    boolean isTls13() {
        return version.equals("TLSv1.3");
    }

    boolean isClient() {
        return role == Role.CLIENT;
    }

    boolean isOurs() {
        return kind != SocketKind.SUN_JSSE;
    }
}
