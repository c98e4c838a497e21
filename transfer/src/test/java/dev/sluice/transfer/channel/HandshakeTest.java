package dev.sluice.transfer.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.tls.failure.Fault;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import dev.sluice.transfer.pairing.PairingCode;
import java.lang.foreign.Arena;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Handshakes by keys and by codes, and those that are refused. */
@Timeout(60)
class HandshakeTest {
    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    private OwnKey anna = OwnKey.generate(OwnKeyType.ED25519);
    private OwnKey bert = OwnKey.generate(OwnKeyType.P_256);

    @BeforeEach
    void generate() {
        anna.close();
        bert.close();
        anna = OwnKey.generate(OwnKeyType.ED25519);
        bert = OwnKey.generate(OwnKeyType.P_256);
    }

    @AfterEach
    void free() {
        anna.close();
        bert.close();
    }

    @Test
    void eachSideLearnsTheOthersKey() throws Exception {
        try (Ends ends = open(allowed(bert), allowed(anna))) {
            assertThat(ends.client().peer()).isEqualTo(bert.fingerprint());
            assertThat(ends.server().peer()).isEqualTo(anna.fingerprint());
        }
    }

    @Test
    void rejectsAServerWithAnotherKey() throws Exception {
        ChannelSocket[] pair = Ends.pair();
        CompletableFuture<?> server = Ends.async(() -> accept(pair[1], allowed(anna)));
        CompletableFuture<?> client = Ends.async(() -> connect(pair[0], allowed(anna)));
        assertFailed(client, ChannelFailure.WRONG_KEY, bert.fingerprint().toString());
        assertFailed(server, ChannelFailure.WRONG_KEY, "does not allow our key");
    }

    /** In TLS 1.3 a client's handshake ends before the server has seen its certificate. */
    @Test
    void rejectsAClientWithAnotherKey() throws Exception {
        ChannelSocket[] pair = Ends.pair();
        CompletableFuture<?> server = Ends.async(() -> accept(pair[1], allowed(bert)));
        try (SecureChannel client = connect(pair[0], allowed(bert))) {
            assertFailed(server, ChannelFailure.WRONG_KEY, anna.fingerprint().toString());
            assertFailed(Ends.async(() -> client.incoming().await()), ChannelFailure.WRONG_KEY, "our key");
        }
    }

    @Test
    void rejectsEverybodyWithoutAllowedKeys() throws Exception {
        ChannelSocket[] pair = Ends.pair();
        CompletableFuture<?> server = Ends.async(() -> accept(pair[1], AllowedKeys.of()));
        connect(pair[0], allowed(bert)).close();
        assertFailed(server, ChannelFailure.WRONG_KEY, "not allowed");
    }

    // ---- codes

    @Test
    void aCodeIntroducesStrangers() throws Exception {
        PairingCode made = PairingCode.random(7);
        try (Ends ends = pair(PairingCode.parse(made.toString()), made)) {
            assertThat(ends.client().peer()).isEqualTo(bert.fingerprint());
            assertThat(ends.server().peer()).isEqualTo(anna.fingerprint());
            ends.client().outgoing().putLong(1);
            ends.client().send();
            assertThat(ends.server().incoming().getLong()).isEqualTo(1);
            ends.server().outgoing().putLong(2);
            ends.server().send();
            assertThat(ends.client().incoming().getLong()).isEqualTo(2);
        }
    }

    @Test
    void aWrongCodeFailsOnBothSidesAndIsVoid() throws Exception {
        PairingCode made = PairingCode.random(7);
        ChannelSocket[] first = Ends.pair();
        CompletableFuture<?> server = Ends.async(() -> accept(first[1], made));
        CompletableFuture<?> client = Ends.async(() -> connect(first[0], PairingCode.random(7)));
        assertFailed(client, ChannelFailure.WRONG_CODE, "void");
        assertFailed(server, ChannelFailure.WRONG_CODE, "void");

        ChannelSocket[] second = Ends.pair();
        CompletableFuture<?> again = Ends.async(() -> accept(second[1], made));
        CompletableFuture<?> right = Ends.async(() -> connect(second[0], PairingCode.parse(made.toString())));
        assertFailed(again, ChannelFailure.CODE_SPENT, "one attempt");
        assertThat(Ends.failureOf(right)).isInstanceOf(ChannelException.class);
    }

    @Test
    void aUsedCodeIsVoid() throws Exception {
        PairingCode made = PairingCode.random(7);
        PairingCode given = PairingCode.parse(made.toString());
        pair(given, made).close();
        ChannelSocket[] second = Ends.pair();
        CompletableFuture<?> client = Ends.async(() -> connect(second[0], given));
        assertFailed(client, ChannelFailure.CODE_SPENT, "one attempt");
        second[1].close();
    }

    @Test
    void aVisitorWithoutAMessageSpendsNoCode() throws Exception {
        PairingCode made = PairingCode.random(7);
        ChannelSocket[] visit = Ends.pair();
        CompletableFuture<?> server = Ends.async(() -> accept(visit[1], made));
        visit[0].close();
        assertFailed(server, ChannelFailure.CONNECTION, "");
        pair(PairingCode.parse(made.toString()), made).close();
    }

    @Test
    void aVisitorWithAnotherProtocolSpendsNoCode() throws Exception {
        PairingCode made = PairingCode.random(7);
        int[] visit = Ends.descriptors();
        CompletableFuture<?> server = Ends.async(() -> accept(ChannelSocket.of(visit[1]), made));
        try (LibC libc = new LibC();
                Arena arena = Arena.ofConfined()) {
            libc.send(
                    visit[0],
                    arena.allocateFrom("GET / HTTP/1.1\r\n".repeat(10)).address(),
                    160,
                    0);
            assertFailed(server, ChannelFailure.PROTOCOL, "does not pair");
            libc.close(visit[0]);
        }
        assertThat(made.isSpent()).isFalse();
    }

    /** Whoever has the code, and claims another's key. */
    @Test
    void aClaimedKeyMustBeProven() throws Exception {
        try (OwnKey mallory = OwnKey.generate(OwnKeyType.ED25519)) {
            PairingCode made = PairingCode.random(7);
            PairingCode given = PairingCode.parse(made.toString());
            ChannelSocket[] first = Ends.pair();
            CompletableFuture<?> server = Ends.async(() -> accept(first[1], made));
            CompletableFuture<?> client = Ends.async(() -> new Handshake(first[0], Ends.SETTINGS)
                    .run(Handshake.Role.CLIENT, mallory, wire -> PairedPeer.initiate(wire, anna.fingerprint(), given)));
            assertFailed(server, ChannelFailure.WRONG_KEY, "did not prove");
            assertFailed(client, ChannelFailure.WRONG_KEY, "did not prove");
        }
    }

    @Test
    void aClaimedKeyMustBeProvenByTheSideThatMadeTheCode() throws Exception {
        try (OwnKey mallory = OwnKey.generate(OwnKeyType.ED25519)) {
            PairingCode made = PairingCode.random(7);
            PairingCode given = PairingCode.parse(made.toString());
            ChannelSocket[] first = Ends.pair();
            CompletableFuture<?> server = Ends.async(() -> new Handshake(first[1], Ends.SETTINGS)
                    .run(Handshake.Role.SERVER, mallory, wire -> PairedPeer.respond(wire, bert.fingerprint(), made)));
            CompletableFuture<?> client = Ends.async(() -> connect(first[0], given));
            assertFailed(client, ChannelFailure.WRONG_KEY, "did not prove");
            assertFailed(server, ChannelFailure.WRONG_KEY, "did not prove");
        }
    }

    /** The key was exchanged on the path, which breaks the proof before the code counts. */
    @Test
    void anExchangedFingerprintFails() throws Exception {
        PairingCode made = PairingCode.random(7);
        int[] clientSide = Ends.descriptors();
        int[] serverSide = Ends.descriptors();
        CompletableFuture<?> server = Ends.async(() -> accept(ChannelSocket.of(serverSide[0]), made));
        CompletableFuture<?> client =
                Ends.async(() -> connect(ChannelSocket.of(clientSide[0]), PairingCode.parse(made.toString())));
        CompletableFuture<?> up = Ends.async(() -> forward(clientSide[1], serverSide[1], 20));
        CompletableFuture<?> down = Ends.async(() -> forward(serverSide[1], clientSide[1], -1));
        assertFailed(client, ChannelFailure.WRONG_KEY, "altered");
        assertFailed(server, ChannelFailure.WRONG_KEY, "altered");
        up.join();
        down.join();
        try (LibC libc = new LibC()) {
            libc.close(clientSide[1]);
            libc.close(serverSide[1]);
        }
    }

    /** Forwards bytes and flips a bit of one of them. */
    private static boolean forward(int from, int to, int flippedByte) {
        try (LibC libc = new LibC();
                Arena arena = Arena.ofConfined()) {
            long memory = arena.allocate(1).address();
            for (int i = 0; libc.recv(from, memory, 1, 0) == 1; i++) {
                if (i == flippedByte) {
                    RawMemory.putByte(memory, (byte) (RawMemory.getByte(memory) ^ 1));
                }
                libc.send(to, memory, 1, Constants.MSG_NOSIGNAL);
            }
            libc.shutdown(to, Constants.SHUT_WR);
            return true;
        }
    }

    /** One side uses a code, the other one keys. */
    @Test
    void codeAndKeysDoNotMix() throws Exception {
        ChannelSocket[] pair = Ends.pair();
        CompletableFuture<?> server = Ends.async(() -> accept(pair[1], allowed(anna)));
        CompletableFuture<?> client = Ends.async(() -> connect(pair[0], PairingCode.random(7)));
        assertThat(Ends.failureOf(server)).isInstanceOf(ChannelException.class);
        assertThat(Ends.failureOf(client)).isInstanceOf(ChannelException.class);
    }

    @Test
    void failuresNameThePartyAtFault() {
        assertThat(ChannelFailure.TRUNCATED.fault()).isEqualTo(Fault.PEER_MISBEHAVED);
        assertThat(ChannelFailure.CONNECTION.fault()).isEqualTo(Fault.ENVIRONMENT);
        assertThat(ChannelFailure.ABORTED.fault()).isEqualTo(Fault.OURS);
    }

    private static AllowedKeys allowed(OwnKey key) {
        return AllowedKeys.of(key.fingerprint());
    }

    private SecureChannel connect(ChannelSocket socket, AllowedKeys keys) throws ChannelException {
        return SecureChannel.connect(socket, anna, keys, Ends.SETTINGS);
    }

    private SecureChannel accept(ChannelSocket socket, AllowedKeys keys) throws ChannelException {
        return SecureChannel.accept(socket, bert, keys, Ends.SETTINGS);
    }

    private SecureChannel connect(ChannelSocket socket, PairingCode code) throws ChannelException {
        return SecureChannel.connect(socket, anna, code, Ends.SETTINGS);
    }

    private SecureChannel accept(ChannelSocket socket, PairingCode code) throws ChannelException {
        return SecureChannel.accept(socket, bert, code, Ends.SETTINGS);
    }

    private Ends open(AllowedKeys ofClient, AllowedKeys ofServer) throws Exception {
        ChannelSocket[] pair = Ends.pair();
        return Ends.open(pair[0], pair[1], socket -> connect(socket, ofClient), socket -> accept(socket, ofServer));
    }

    private Ends pair(PairingCode ofClient, PairingCode ofServer) throws Exception {
        ChannelSocket[] pair = Ends.pair();
        return Ends.open(pair[0], pair[1], socket -> connect(socket, ofClient), socket -> accept(socket, ofServer));
    }

    private static void assertFailed(CompletableFuture<?> task, ChannelFailure expected, String text) {
        assertThat(Ends.failureOf(task)).isInstanceOfSatisfying(ChannelException.class, e -> {
            assertThat(e.failure()).isEqualTo(expected);
            assertThat(e).hasMessageContaining(text);
        });
    }
}
