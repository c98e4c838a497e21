package dev.sluice.tls.context;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.context.ClientHelloAssembly.State;
import dev.sluice.tls.engine.MemoryEngine;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names in ClientHellos of OpenSSL: whole, in pieces, and forged. */
final class ClientHelloAssemblyTest {
    private static final int MUTATIONS = 20_000;
    private static final int HEADER_BYTES = 5;
    private static final int ALPN = 16;
    private static final ClientHelloNames EXPECTED = new ClientHelloNames("shop.example", List.of("h2", "acme-tls/1"));

    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void close() {
        arena.close();
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void readsTheNamesOfOpenssl(ProtocolVersion version) {
        byte[] hello = hello(version, "Shop.Example", "h2", "acme-tls/1");
        assertThat(names(hello)).isEqualTo(EXPECTED);
        assertThat(names(Arrays.copyOf(hello, hello.length + 100))).isEqualTo(EXPECTED);
        for (int length = 0; length < hello.length; length++) {
            assertThat(names(Arrays.copyOf(hello, length))).isNull();
        }
    }

    @Test
    void readsAClientHelloWithoutNames() {
        byte[] hello = hello(ProtocolVersion.TLS_1_3, "192.0.2.1");
        assertThat(names(hello)).isEqualTo(new ClientHelloNames("", List.of()));
    }

    /** Pieces of TCP and records of so many bytes; a message's header may be in several. */
    @ParameterizedTest
    @CsvSource({"1, 16384", "1, 1", "3, 2", "7, 5", "100000, 1", "100000, 3", "64, 64", "100000, 100000"})
    void putsPiecesTogether(int piece, int record) {
        byte[] hello = hello(ProtocolVersion.TLS_1_3, "shop.example", "h2", "acme-tls/1");
        byte[] sent = inRecords(hello, record);
        ClientHelloAssembly assembly = new ClientHelloAssembly();
        for (int at = 0; at < sent.length; at += piece) {
            byte[] next = Arrays.copyOfRange(sent, at, Math.min(sent.length, at + piece));
            boolean last = at + piece >= sent.length;
            assertThat(add(assembly, next)).isEqualTo(last ? State.WHOLE : State.INCOMPLETE);
        }
        assertThat(assembly.bytes()).isEqualTo(sent);
        assertThat(names(assembly.record())).isEqualTo(EXPECTED);
        assertThat(Arrays.copyOfRange(assembly.record(), HEADER_BYTES, hello.length))
                .isEqualTo(Arrays.copyOfRange(hello, HEADER_BYTES, hello.length));
    }

    /** As with early data, of which any amount may follow. */
    @Test
    void keepsWhatStandsBehindTheMessage() {
        byte[] hello = hello(ProtocolVersion.TLS_1_3, "shop.example", "h2", "acme-tls/1");
        byte[] sent = Arrays.copyOf(hello, hello.length + 50_000);
        ClientHelloAssembly assembly = new ClientHelloAssembly();
        assertThat(add(assembly, Arrays.copyOf(sent, 10))).isEqualTo(State.INCOMPLETE);
        assertThat(add(assembly, Arrays.copyOfRange(sent, 10, sent.length))).isEqualTo(State.WHOLE);
        assertThat(assembly.bytes()).isEqualTo(sent);
        assertThat(assembly.length()).isEqualTo(sent.length);
        assertThat(names(assembly.record())).isEqualTo(EXPECTED);
    }

    @Test
    void recognizesWhatIsNoClientHello() {
        assertThat(state('G')).isEqualTo(State.OTHER);
        assertThat(state(21, 3, 1, 0, 2, 1, 0)).as("an alert").isEqualTo(State.OTHER);
        assertThat(state(22, 2)).as("a version of no TLS").isEqualTo(State.OTHER);
        assertThat(state(22, 3, 1, 0, 0)).as("an empty record").isEqualTo(State.OTHER);
        assertThat(state(22, 3, 1, 0x40, 1)).as("a record that is too long").isEqualTo(State.OTHER);
        assertThat(state(22, 3, 1, 0, 100, 2)).as("a ServerHello").isEqualTo(State.OTHER);
        assertThat(state(22, 3, 1, 0, 2, 1, 0, 23))
                .as("another record in between")
                .isEqualTo(State.OTHER);
        assertThat(state(22, 3, 1, 0x40, 0, 1)).isEqualTo(State.INCOMPLETE);
        assertThat(state()).isEqualTo(State.INCOMPLETE);
    }

    @Test
    void boundsTheLengthOfAMessage() {
        int most = ClientHelloAssembly.BYTES_MAX - HEADER_BYTES - 4;
        assertThat(state(22, 3, 1, 0x40, 0, 1, 0, most >> 8, most)).isEqualTo(State.INCOMPLETE);
        assertThat(state(22, 3, 1, 0x40, 0, 1, 0, (most + 1) >> 8, most + 1)).isEqualTo(State.TOO_LONG);
        assertThat(state(22, 3, 1, 0x40, 0, 1, 255, 255, 255)).isEqualTo(State.TOO_LONG);
    }

    /** Headers of records count, too: a message within the limit may come in ever so many. */
    @ParameterizedTest
    @ValueSource(ints = {1, 1000, 100_000})
    void boundsTheBytesThatAreAwaited(int piece) {
        byte[] message = new byte[HEADER_BYTES + 10_000];
        ByteBuffer.wrap(message)
                .put(new byte[] {22, 3, 1})
                .putShort((short) 10_000)
                .putInt((1 << 24) | 9_996);
        byte[] sent = inRecords(message, 1);
        ClientHelloAssembly assembly = new ClientHelloAssembly();
        State state = State.INCOMPLETE;
        for (int at = 0; state == State.INCOMPLETE && at < sent.length; at += piece) {
            state = add(assembly, Arrays.copyOfRange(sent, at, Math.min(sent.length, at + piece)));
        }
        assertThat(state).isEqualTo(piece > sent.length ? State.WHOLE : State.TOO_LONG);
        assertThat(assembly.length()).isLessThan(ClientHelloAssembly.BYTES_MAX + piece);
    }

    @Test
    void leavesOutNamesThatAreNoText() {
        byte[] hello = hello(ProtocolVersion.TLS_1_3, "shop.example", "h2", "xx", "http/1.1");
        assertThat(names(replaced(hello, "shop.example", "shop\n.xample"))).satisfies(names -> {
            assertThat(Objects.requireNonNull(names).serverName()).isEmpty();
            assertThat(names.alpn()).containsExactly("h2", "xx", "http/1.1");
        });
        assertThat(names(replaced(hello, "xx", "\n\n"))) // GREASE
                .isEqualTo(new ClientHelloNames("shop.example", List.of("h2", "http/1.1")));
    }

    @Test
    void readsNoProtocolOfAMalformedList() {
        byte[] hello = hello(ProtocolVersion.TLS_1_3, "shop.example", "h2", "xx");
        byte[] forged = replaced(hello, "\0\6\2h2\2xx", "\0\6\2h2\3xx");
        assertThat(names(forged)).isEqualTo(new ClientHelloNames("shop.example", List.of()));
    }

    /** Memory behind the input is filled with what would be seen. */
    @Test
    void staysWithinAForgedMessage() {
        byte[] hello = hello(ProtocolVersion.TLS_1_3, "shop.example", "h2", "acme-tls/1");
        Random random = new Random(7);
        MemorySegment memory = arena.allocate(hello.length);
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] forged = hello.clone();
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                forged[random.nextInt(forged.length)] = (byte) random.nextInt(256);
            }
            MemorySegment.copy(forged, 0, memory, ValueLayout.JAVA_BYTE, 0, forged.length);
            for (int type : new int[] {0, ALPN}) {
                long extension = ClientHelloPeek.extension(memory.address(), forged.length, type);
                if (extension != ClientHelloPeek.NONE) {
                    int length = RawMemory.getShortBigEndian(extension) & 0xffff;
                    assertThat(extension + 2 + length - memory.address()).isBetween(2L, (long) forged.length);
                }
            }
            ClientHelloAssembly assembly = new ClientHelloAssembly();
            State state = assembly.add(memory.address(), forged.length);
            ClientHelloNames names = names(forged);
            if (state == State.WHOLE && names != null) { // a record that goes on behind the message is not whole
                assertThat(names(assembly.record())).isEqualTo(names);
            }
        }
    }

    private State state(int... bytes) {
        byte[] sent = new byte[bytes.length];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = (byte) bytes[i];
        }
        State atOnce = add(new ClientHelloAssembly(), sent);
        ClientHelloAssembly assembly = new ClientHelloAssembly();
        State inPieces = State.INCOMPLETE;
        for (int i = 0; i < sent.length && inPieces == State.INCOMPLETE; i++) {
            inPieces = add(assembly, new byte[] {sent[i]});
        }
        assertThat(inPieces).isEqualTo(atOnce);
        return atOnce;
    }

    private State add(ClientHelloAssembly assembly, byte[] bytes) {
        return assembly.add(copied(bytes).address(), bytes.length);
    }

    private @Nullable ClientHelloNames names(byte[] bytes) {
        return ClientHelloNames.of(copied(bytes).address(), bytes.length);
    }

    private MemorySegment copied(byte[] bytes) {
        MemorySegment memory = arena.allocate(Math.max(1, bytes.length));
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return memory;
    }

    private static byte[] replaced(byte[] bytes, String from, String to) {
        String text = new String(bytes, ISO_8859_1);
        assertThat(text).contains(from);
        return text.replace(from, to).getBytes(ISO_8859_1);
    }

    private static byte[] inRecords(byte[] hello, int length) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = HEADER_BYTES; at < hello.length; at += length) {
            int payload = Math.min(length, hello.length - at);
            out.write(hello, 0, 3);
            out.write(payload >> 8);
            out.write(payload);
            out.write(hello, at, payload);
        }
        return out.toByteArray();
    }

    private static byte[] hello(ProtocolVersion version, String serverName, String... protocols) {
        try (TlsContext clients = TlsContext.client()
                        .versions(version, version)
                        .alpn(List.of(protocols))
                        .build();
                MemoryEngine client = MemoryEngine.client(clients, serverName)) {
            client.handshake();
            byte[] bytes = new byte[client.sendLength()];
            RawMemory.copy(client.sendAddress(), bytes, 0, bytes.length);
            return bytes;
        }
    }
}
