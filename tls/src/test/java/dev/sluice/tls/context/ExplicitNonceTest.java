package dev.sluice.tls.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.Bytes;
import dev.sluice.tls.Peer;
import dev.sluice.tls.Wire;
import dev.sluice.tls.engine.EngineKind;
import dev.sluice.tls.engine.OurPeer;
import dev.sluice.tls.engine.TlsSession;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests of the explicit nonces of TLS 1.2 with AES-GCM, read on the wire: libssl seals the Finished and the direct
 * engine all later records, under one key, whichever end sends Finished last.
 */
final class ExplicitNonceTest extends EngineConformance {
    private static final int CHANGE_CIPHER_SPEC = 20;
    private static final int HEADER_BYTES = 5;
    private static final int RECORDS = 40;

    private final Wire wire = Wire.whole();

    ExplicitNonceTest() {
        super(EngineKind.MEMORY);
    }

    @ParameterizedTest
    @CsvSource({
        "DIRECT, ECDHE-ECDSA-AES128-GCM-SHA256",
        "DIRECT, ECDHE-ECDSA-AES256-GCM-SHA384",
        "DIRECT_CLIENT, ECDHE-ECDSA-AES128-GCM-SHA256",
        "DIRECT_CLIENT, ECDHE-ECDSA-AES256-GCM-SHA384"
    })
    void usesEachNonceOnce(EngineKind direct, String suite) {
        TlsContext server = closing(serverWith(CERTIFICATES.server())
                .versions(ProtocolVersion.TLS_1_2, ProtocolVersion.TLS_1_2)
                .cipherList(suite)
                .build());
        TlsContext client = closing(trustingClient().build());
        TlsSession session = nonces(direct, client, server, null);
        for (int resumed = 0; resumed < 3; resumed++) {
            session = nonces(direct, client, server, session);
        }
    }

    private TlsSession nonces(EngineKind direct, TlsContext clients, TlsContext servers, @Nullable TlsSession session) {
        OurPeer client = closing(
                session == null ? direct.client(clients, "localhost") : direct.client(clients, "localhost", session));
        OurPeer server = closing(direct.server(servers));
        boolean ours = direct == EngineKind.DIRECT_CLIENT;
        Tap tapped = new Tap(ours ? client : server);
        wire.handshake(ours ? tapped : client, ours ? server : tapped);
        assertThat(client.info().resumed()).isEqualTo(session != null);
        for (int i = 0; i < RECORDS; i++) {
            tapped.write(PING);
            assertThat(wire.carry(tapped, ours ? server : client)).isEqualTo(PING);
        }
        List<Long> nonces = explicitNonces(tapped.sent);
        assertThat(nonces).hasSize(1 + RECORDS).doesNotHaveDuplicates();
        for (int i = 0; i < nonces.size(); i++) {
            assertThat(nonces.get(i)).as("record %d", i).isEqualTo(nonces.getFirst() + i);
        }
        return closing(Objects.requireNonNull(client.engine().session()));
    }

    /** Returns the nonces of all records after the ChangeCipherSpec. */
    private static List<Long> explicitNonces(byte[] records) {
        List<Long> nonces = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(records);
        boolean sealed = false;
        int length;
        for (int at = 0; at < records.length; at += HEADER_BYTES + length) {
            length = Short.toUnsignedInt(bytes.getShort(at + HEADER_BYTES - Short.BYTES));
            if (sealed) {
                nonces.add(bytes.getLong(at + HEADER_BYTES));
            }
            sealed |= bytes.get(at) == CHANGE_CIPHER_SPEC;
        }
        return nonces;
    }

    /** A recorder of a peer's sent bytes. */
    private static final class Tap implements Peer {
        private final OurPeer peer;
        private byte[] sent = {};

        Tap(OurPeer peer) {
            this.peer = peer;
        }

        @Override
        public byte[] takeOutput() {
            byte[] taken = peer.takeOutput();
            sent = Bytes.join(sent, taken);
            return taken;
        }

        @Override
        public void handshake() {
            peer.handshake();
        }

        @Override
        public boolean isEstablished() {
            return peer.isEstablished();
        }

        @Override
        public String failure() {
            return peer.failure();
        }

        @Override
        public void write(byte[] plaintext) {
            peer.write(plaintext);
        }

        @Override
        public byte[] read() {
            return peer.read();
        }

        @Override
        public boolean sawCloseNotify() {
            return peer.sawCloseNotify();
        }

        @Override
        public void closeOutput() {
            peer.closeOutput();
        }

        @Override
        public void offer(byte[] bytes) {
            peer.offer(bytes);
        }

        @Override
        public void endOfStream() {
            peer.endOfStream();
        }

        @Override
        public void close() {
            peer.close();
        }
    }
}
