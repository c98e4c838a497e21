package dev.sluice.tls.record;

import static dev.sluice.tls.record.RecordFixture.hex;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A comparison of the handshake's key schedule with RFC 8448 sections 3 and 4, message by message. */
final class HandshakeScheduleTest {
    private static final byte[] CLIENT_HELLO = hex("""
            01 00 00 c0 03 03 cb 34 ec b1 e7 81 63 ba 1c 38 c6 da cb 19 6a 6d ff a2 1a 8d 99 12 ec 18 a2 ef 62
            83 02 4d ec e7 00 00 06 13 01 13 03 13 02 01 00 00 91 00 00 00 0b 00 09 00 00 06 73 65 72 76 65 72
            ff 01 00 01 00 00 0a 00 14 00 12 00 1d 00 17 00 18 00 19 01 00 01 01 01 02 01 03 01 04 00 23 00 00
            00 33 00 26 00 24 00 1d 00 20 99 38 1d e5 60 e4 bd 43 d2 3d 8e 43 5a 7d ba fe b3 c0 6e 51 c1 3c ae
            4d 54 13 69 1e 52 9a af 2c 00 2b 00 03 02 03 04 00 0d 00 20 00 1e 04 03 05 03 06 03 02 03 08 04 08
            05 08 06 04 01 05 01 06 01 02 01 04 02 05 02 06 02 02 02 00 2d 00 02 01 01 00 1c 00 02 40 01""");
    private static final byte[] SERVER_HELLO = hex("""
            02 00 00 56 03 03 a6 af 06 a4 12 18 60 dc 5e 6e 60 24 9c d3 4c 95 93 0c 8a c5 cb 14 34 da c1 55 77
            2e d3 e2 69 28 00 13 01 00 00 2e 00 33 00 24 00 1d 00 20 c9 82 88 76 11 20 95 fe 66 76 2b db f7 c6
            72 e1 56 d6 cc 25 3b 83 3d f1 dd 69 b1 b0 4e 75 1f 0f 00 2b 00 02 03 04""");
    private static final byte[] SHARED = hex("""
            8b d4 05 4f b5 5b 9d 63 fd fb ac f9 f0 4b 9f 0d 35 e6 d6 3f 53 75 63 ef d4 62 72 90 0f 89 49 2d""");
    private static final byte[] CLIENT_HANDSHAKE_SECRET = hex("""
            b3 ed db 12 6e 06 7f 35 a7 80 b3 ab f4 5e 2d 8f 3b 1a 95 07 38 f5 2e 96 00 74 6a 0e 27 a5 5a 21""");
    private static final byte[] SERVER_HANDSHAKE_SECRET = hex("""
            b6 7b 7d 69 0c c1 6c 4e 75 e5 42 13 cb 2d 37 b4 e9 c9 12 bc de d9 10 5d 42 be fd 59 d3 91 ad 38""");
    private static final byte[] SERVER_HANDSHAKE_KEY = hex("""
            3f ce 51 60 09 c2 17 27 d0 f2 e4 e8 6e e4 03 bc""");
    private static final byte[] SERVER_HANDSHAKE_IV = hex("""
            5d 31 3e b2 67 12 76 ee 13 00 0b 30""");
    private static final byte[] FLIGHT = hex("""
            08 00 00 24 00 22 00 0a 00 14 00 12 00 1d 00 17 00 18 00 19 01 00 01 01 01 02 01 03 01 04 00 1c 00
            02 40 01 00 00 00 00 0b 00 01 b9 00 00 01 b5 00 01 b0 30 82 01 ac 30 82 01 15 a0 03 02 01 02 02 01
            02 30 0d 06 09 2a 86 48 86 f7 0d 01 01 0b 05 00 30 0e 31 0c 30 0a 06 03 55 04 03 13 03 72 73 61 30
            1e 17 0d 31 36 30 37 33 30 30 31 32 33 35 39 5a 17 0d 32 36 30 37 33 30 30 31 32 33 35 39 5a 30 0e
            31 0c 30 0a 06 03 55 04 03 13 03 72 73 61 30 81 9f 30 0d 06 09 2a 86 48 86 f7 0d 01 01 01 05 00 03
            81 8d 00 30 81 89 02 81 81 00 b4 bb 49 8f 82 79 30 3d 98 08 36 39 9b 36 c6 98 8c 0c 68 de 55 e1 bd
            b8 26 d3 90 1a 24 61 ea fd 2d e4 9a 91 d0 15 ab bc 9a 95 13 7a ce 6c 1a f1 9e aa 6a f9 8c 7c ed 43
            12 09 98 e1 87 a8 0e e0 cc b0 52 4b 1b 01 8c 3e 0b 63 26 4d 44 9a 6d 38 e2 2a 5f da 43 08 46 74 80
            30 53 0e f0 46 1c 8c a9 d9 ef bf ae 8e a6 d1 d0 3e 2b d1 93 ef f0 ab 9a 80 02 c4 74 28 a6 d3 5a 8d
            88 d7 9f 7f 1e 3f 02 03 01 00 01 a3 1a 30 18 30 09 06 03 55 1d 13 04 02 30 00 30 0b 06 03 55 1d 0f
            04 04 03 02 05 a0 30 0d 06 09 2a 86 48 86 f7 0d 01 01 0b 05 00 03 81 81 00 85 aa d2 a0 e5 b9 27 6b
            90 8c 65 f7 3a 72 67 17 06 18 a5 4c 5f 8a 7b 33 7d 2d f7 a5 94 36 54 17 f2 ea e8 f8 a5 8c 8f 81 72
            f9 31 9c f3 6b 7f d6 c5 5b 80 f2 1a 03 01 51 56 72 60 96 fd 33 5e 5e 67 f2 db f1 02 70 2e 60 8c ca
            e6 be c1 fc 63 a4 2a 99 be 5c 3e b7 10 7c 3c 54 e9 b9 eb 2b d5 20 3b 1c 3b 84 e0 a8 b2 f7 59 40 9b
            a3 ea c9 d9 1d 40 2d cc 0c c8 f8 96 12 29 ac 91 87 b4 2b 4d e1 00 00 0f 00 00 84 08 04 00 80 5a 74
            7c 5d 88 fa 9b d2 e5 5a b0 85 a6 10 15 b7 21 1f 82 4c d4 84 14 5a b3 ff 52 f1 fd a8 47 7b 0b 7a bc
            90 db 78 e2 d3 3a 5c 14 1a 07 86 53 fa 6b ef 78 0c 5e a2 48 ee aa a7 85 c4 f3 94 ca b6 d3 0b be 8d
            48 59 ee 51 1f 60 29 57 b1 54 11 ac 02 76 71 45 9e 46 44 5c 9e a5 8c 18 1e 81 8e 95 b8 c3 fb 0b f3
            27 84 09 d3 be 15 2a 3d a5 04 3e 06 3d da 65 cd f5 ae a2 0d 53 df ac d4 2f 74 f3 14 00 00 20 9b 9b
            14 1d 90 63 37 fb d2 cb dc e7 1d f4 de da 4a b4 2c 30 95 72 cb 7f ff ee 54 54 b7 8f 07 18""");
    private static final byte[] SERVER_FINISHED = hex("""
            9b 9b 14 1d 90 63 37 fb d2 cb dc e7 1d f4 de da 4a b4 2c 30 95 72 cb 7f ff ee 54 54 b7 8f 07 18""");
    private static final byte[] CLIENT_SECRET = hex("""
            9e 40 64 6c e7 9a 7f 9d c0 5a f8 88 9b ce 65 52 87 5a fa 0b 06 df 00 87 f7 92 eb b7 c1 75 04 a5""");
    private static final byte[] SERVER_SECRET = hex("""
            a1 1a f9 f0 55 31 f8 56 ad 47 11 6b 45 a9 50 32 82 04 b4 f4 4b fb 6b 3a 4b 4f 1f 3f cb 63 16 43""");
    private static final byte[] EXPORTER_SECRET = hex("""
            fe 22 f8 81 17 6e da 18 eb 8f 44 52 9e 67 92 c5 0c 9a 3f 89 45 2f 68 d8 ae 31 1b 43 09 d3 cf 50""");
    private static final byte[] CLIENT_FINISHED = hex("""
            a8 ec 43 6d 67 76 34 ae 52 5a c1 fc eb e1 1a 03 9e c1 76 94 fa c6 e9 85 27 b6 42 f2 ed d5 ce 61""");
    private static final byte[] RESUMPTION_SECRET = hex("""
            7d f2 35 f2 03 1d 2a 05 12 87 d0 2b 02 41 b0 bf da f8 6c c8 56 23 1f 2d 5a ba 46 c4 34 ec 19 6c""");
    private static final byte[] TICKET_SECRET = hex("""
            4e cd 0e b6 ec 3b 4d 87 f5 d6 02 8f 92 2c a4 c5 85 1a 27 7f d4 13 11 c9 e6 2d 2c 94 92 e1 c4 f3""");
    private static final byte[] RESUMED_HELLO_PREFIX = hex("""
            01 00 01 fc 03 03 1b c3 ce b6 bb e3 9c ff 93 83 55 b5 a5 0a db 6d b2 1b 7a 6a f6 49 d7 b4 bc 41 9d
            78 76 48 7d 95 00 00 06 13 01 13 03 13 02 01 00 01 cd 00 00 00 0b 00 09 00 00 06 73 65 72 76 65 72
            ff 01 00 01 00 00 0a 00 14 00 12 00 1d 00 17 00 18 00 19 01 00 01 01 01 02 01 03 01 04 00 33 00 26
            00 24 00 1d 00 20 e4 ff b6 8a c0 5f 8d 96 c9 9d a2 66 98 34 6c 6b e1 64 82 ba dd da fe 05 1a 66 b4
            f1 8d 66 8f 0b 00 2a 00 00 00 2b 00 03 02 03 04 00 0d 00 20 00 1e 04 03 05 03 06 03 02 03 08 04 08
            05 08 06 04 01 05 01 06 01 02 01 04 02 05 02 06 02 02 02 00 2d 00 02 01 01 00 1c 00 02 40 01 00 15
            00 57 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
            00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
            00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 29 00 dd 00 b8 00 b2 2c 03
            5d 82 93 59 ee 5f f7 af 4e c9 00 00 00 00 26 2a 64 94 dc 48 6d 2c 8a 34 cb 33 fa 90 bf 1b 00 70 ad
            3c 49 88 83 c9 36 7c 09 a2 be 78 5a bc 55 cd 22 60 97 a3 a9 82 11 72 83 f8 2a 03 a1 43 ef d3 ff 5d
            d3 6d 64 e8 61 be 7f d6 1d 28 27 db 27 9c ce 14 50 77 d4 54 a3 66 4d 4e 6d a4 d2 9e e0 37 25 a6 a4
            da fc d0 fc 67 d2 ae a7 05 29 51 3e 3d a2 67 7f a5 90 6c 5b 3f 7d 8f 92 f2 28 bd a4 0d da 72 14 70
            f9 fb f2 97 b5 ae a6 17 64 6f ac 5c 03 27 2e 97 07 27 c6 21 a7 91 41 ef 5f 7d e6 50 5e 5b fb c3 88
            e9 33 43 69 40 93 93 4a e4 d3 57 fa d6 aa cb""");
    private static final byte[] BINDER = hex("""
            3a dd 4f b2 d8 fd f8 22 a0 ca 3c f7 67 8e f5 e8 8d ae 99 01 41 c5 92 4d 57 bb 6f a3 1b 9e 5f 9d""");

    private static final CipherSuite SUITE = CipherSuite.TLS_AES_128_GCM_SHA256;
    private static final int FINISHED_MESSAGE_BYTES = 36;

    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment memory = allocator.allocate(4096, 64);
    private final long client = memory.address();
    private final long server = client + TrafficKeys.BYTES;
    private final long out = server + TrafficKeys.BYTES;
    private final long message = out + 512;
    private final HandshakeSchedule schedule = new HandshakeSchedule(allocator);

    @AfterEach
    void free() {
        schedule.close();
        allocator.free(memory);
    }

    @Test
    void derivesEverySecretOfTheSimpleHandshake() {
        checkSimpleHandshake();
    }

    private void checkSimpleHandshake() {
        schedule.begin(SUITE);
        update(CLIENT_HELLO, CLIENT_HELLO.length);
        update(SERVER_HELLO, SERVER_HELLO.length);
        put(out, SHARED);
        schedule.handshakeSecrets(out, SHARED.length, client, server);
        assertThat(get(TrafficKeys.secretAddress(client), 32)).isEqualTo(CLIENT_HANDSHAKE_SECRET);
        assertThat(get(TrafficKeys.secretAddress(server), 32)).isEqualTo(SERVER_HANDSHAKE_SECRET);
        assertThat(get(TrafficKeys.keyAddress(server), 16)).isEqualTo(SERVER_HANDSHAKE_KEY);
        assertThat(get(TrafficKeys.ivAddress(server), 12)).isEqualTo(SERVER_HANDSHAKE_IV);
        assertThat(TrafficKeys.sequence(server)).isZero();

        int beforeFinished = FLIGHT.length - FINISHED_MESSAGE_BYTES;
        update(FLIGHT, beforeFinished);
        schedule.finished(server, out);
        assertThat(get(out, 32)).isEqualTo(SERVER_FINISHED);
        put(message, FLIGHT);
        schedule.update(message + beforeFinished, FINISHED_MESSAGE_BYTES);
        schedule.finished(client, out);
        assertThat(get(out, 32)).isEqualTo(CLIENT_FINISHED);

        schedule.applicationSecrets(client, server);
        assertThat(get(TrafficKeys.secretAddress(client), 32)).isEqualTo(CLIENT_SECRET);
        assertThat(get(TrafficKeys.secretAddress(server), 32)).isEqualTo(SERVER_SECRET);
        schedule.exporterSecret(out);
        assertThat(get(out, 32)).isEqualTo(EXPORTER_SECRET);

        put(message, hex("14 00 00 20"));
        schedule.update(message, 4);
        update(CLIENT_FINISHED, CLIENT_FINISHED.length);
        schedule.resumptionSecret(out);
        assertThat(get(out, 32)).isEqualTo(RESUMPTION_SECRET);
        put(message, hex("00 00"));
        schedule.ticketSecret(SUITE, out, message, 2, out + 64);
        assertThat(get(out + 64, 32)).isEqualTo(TICKET_SECRET);
    }

    @Test
    void computesTheBinderOfTheResumedHandshake() {
        checkBinder();
    }

    private void checkBinder() {
        schedule.begin(SUITE);
        put(out, TICKET_SECRET);
        schedule.resume(out);
        put(message, RESUMED_HELLO_PREFIX);
        schedule.binder(message, RESUMED_HELLO_PREFIX.length, out);
        assertThat(get(out, 32)).isEqualTo(BINDER);
    }

    /** A handshake without a pre-shared key is not affected by one before it. */
    @Test
    void beginsAfresh() {
        checkBinder();
        schedule.forget();
        checkSimpleHandshake();
    }

    private void update(byte[] bytes, int length) {
        put(message, bytes);
        schedule.update(message, length);
    }

    private static void put(long address, byte[] bytes) {
        RawMemory.copy(bytes, 0, address, bytes.length);
    }

    private static byte[] get(long address, int length) {
        byte[] bytes = new byte[length];
        RawMemory.copy(address, bytes, 0, length);
        return bytes;
    }
}
