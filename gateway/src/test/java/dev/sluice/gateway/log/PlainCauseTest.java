package dev.sluice.gateway.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PlainCauseTest {
    static Stream<Arguments> causes() {
        return Stream.of(
                Arguments.of(new IOException("no space left"), "no space left"),
                Arguments.of(new IOException(new EOFException("end of stream")), "end of stream"),
                Arguments.of(new IOException("HTTP/1.1 failed", new EOFException("EOF")), "HTTP/1.1 failed, EOF"),
                Arguments.of(new ClosedChannelException(), "closed channel"),
                Arguments.of(caused(new ConnectException(), new ClosedChannelException()), "connection refused"),
                Arguments.of(
                        caused(new ConnectException(), new UnresolvedAddressException()), "the name has no address"),
                Arguments.of(new ConnectException("Network is unreachable"), "Network is unreachable"),
                Arguments.of(new UnknownHostException("collector"), "collector has no address"),
                Arguments.of(new NoSuchFileException("/a"), "/a does not exist"),
                Arguments.of(new FileSystemException("/a", null, "No space left"), "/a: No space left"));
    }

    @ParameterizedTest
    @MethodSource("causes")
    void namesNoClass(Exception cause, String words) {
        assertThat(PlainCause.of(cause)).isEqualTo(words);
    }

    private static Exception caused(Exception e, Exception by) {
        e.initCause(by);
        return e;
    }
}
