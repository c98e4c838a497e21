package dev.sluice.transfer.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.Waiting;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelFailure;
import dev.sluice.transfer.channel.OutgoingBatch;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class RpcTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final RpcSettings SETTINGS = RpcSettings.DEFAULT.withSizes(1 << 20, 1 << 20);
    private static final int ECHO = 1;
    private static final int DEFER = 2;

    @RegisterExtension
    final NativeBalance<Map<String, Ledger.Balance>> balance =
            NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    /** A client with its server. */
    private record Session(RpcClient client, Peers peers, CompletableFuture<Void> served) implements AutoCloseable {
        static Session open(RpcHandler handler) throws Exception {
            return open(SETTINGS, SETTINGS, handler);
        }

        static Session open(RpcSettings forClient, RpcSettings forServer, RpcHandler handler) throws Exception {
            Peers peers = Peers.open();
            CompletableFuture<Void> served = Peers.async(() -> {
                new RpcServer(peers.server(), forServer, handler).serve();
                return null;
            });
            return new Session(new RpcClient(peers.client(), forClient), peers, served);
        }

        /** Calls and returns the response. */
        byte[] call(int method, byte[] request, long deadlineMillis) throws RpcException {
            byte[][] response = new byte[1][];
            try (RpcCall call = begin(method, request, deadlineMillis, input -> response[0] = bytes(input))) {
                call.send();
                call.join();
                return response[0];
            }
        }

        RpcCall begin(int method, byte[] request, long deadlineMillis, RpcAnswerHandler handler) throws RpcException {
            RpcCall call = client.begin(method, request.length, deadlineMillis, handler);
            try {
                call.output().put(MemorySegment.ofArray(request), 0, request.length);
            } catch (ChannelException e) {
                call.close();
                throw new AssertionError(e);
            }
            return call;
        }

        @Override
        public void close() {
            client.close();
            served.exceptionally(failed -> null).join();
            peers.close();
        }
    }

    private static void echo(RpcRequest request) throws IOException {
        int length = request.input().remaining();
        RpcOutput out = request.reply(length);
        while (request.input().remaining() > 0) {
            int count = Math.min(request.input().contiguous(), out.contiguousRoom());
            out.put(request.input().memory(), request.input().offset(), count);
            request.input().taken(count);
        }
    }

    private static byte[] bytes(RpcInput input) throws ChannelException {
        byte[] bytes = new byte[input.remaining()];
        input.get(MemorySegment.ofArray(bytes), 0, bytes.length);
        return bytes;
    }

    private static byte[] random(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Test
    void returnsResponsesOfEverySize() throws Exception {
        try (Session session = Session.open(RpcTest::echo)) {
            for (int length : new int[] {0, 1, 3, 4, 15, 16_367, 16_368, 16_384, 262_128, 262_144, 524_288, 1 << 20}) {
                byte[] request = random(length, length);
                assertThat(session.call(ECHO, request, 0))
                        .as("length " + length)
                        .isEqualTo(request);
            }
        }
    }

    @Test
    void keepsManyCallsInFlightFromOneThread() throws Exception {
        try (Session session = Session.open(RpcTest::echo)) {
            int rounds = 500;
            byte[][] responses = new byte[rounds][];
            List<RpcCall> calls = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                int index = i;
                RpcCall call = session.begin(ECHO, random(i, i * 37), 0, input -> responses[index] = bytes(input));
                calls.add(call);
                if (i % 3 == 0) {
                    call.send();
                } else {
                    call.sendLater();
                }
                if (calls.size() == SETTINGS.window()) {
                    try (RpcCall oldest = calls.removeFirst()) {
                        oldest.join();
                    }
                }
            }
            for (RpcCall call : calls) {
                call.join();
                call.close();
            }
            for (int i = 0; i < rounds; i++) {
                assertThat(responses[i]).isEqualTo(random(i, i * 37));
            }
        }
    }

    @Test
    void servesManyThreadsOverOneChannel() throws Exception {
        try (Session session = Session.open(RpcTest::echo)) {
            List<CompletableFuture<Boolean>> callers = new ArrayList<>();
            for (int caller = 0; caller < 8; caller++) {
                int seed = caller;
                callers.add(Peers.async(() -> {
                    for (int i = 0; i < 200; i++) {
                        byte[] request = random(seed * 1000 + i, 1 + (seed * 7919 + i * 131) % 40_000);
                        if (!Arrays.equals(session.call(ECHO, request, 0), request)) {
                            return false;
                        }
                    }
                    return true;
                }));
            }
            for (CompletableFuture<Boolean> caller : callers) {
                assertThat(caller.get(60, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    /** Both directions are full at once: neither side waits for the other one to read. */
    @Test
    void passesMoreThanTheSocketsHoldInBothDirections() throws Exception {
        try (Session session = Session.open(RpcTest::echo)) {
            byte[] request = random(1, 1 << 20);
            List<RpcCall> calls = new ArrayList<>();
            for (int i = 0; i < SETTINGS.window(); i++) {
                RpcCall call = session.begin(
                        ECHO, request, 0, input -> assertThat(bytes(input)).isEqualTo(request));
                call.send();
                calls.add(call);
            }
            for (RpcCall call : calls) {
                call.join();
                call.close();
            }
        }
    }

    @Test
    void failsOneCallAndServesTheNext() throws Exception {
        RpcSettings small = SETTINGS.withSizes(1000, 1000);
        RpcHandler handler = request -> {
            switch (request.method()) {
                case ECHO -> echo(request);
                case 10 -> throw new RpcException(RpcFailure.BUSY, "come back later");
                case 11 -> throw new IllegalStateException("about this machine");
                case 12 -> bytes(request.input());
                case 14 -> throw new RpcException(RpcFailure.BUSY, "\u001b]0;title\u0007");
                case 13 -> request.reply(2000).put(MemorySegment.ofArray(new byte[2000]), 0, 2000);
                default -> throw request.unknownMethod();
            }
        };
        try (Session session = Session.open(SETTINGS.withSizes(1 << 20, 1000), small, handler)) {
            assertFails(session, 10, 5, RpcFailure.BUSY, "come back later");
            assertFails(session, 11, 5, RpcFailure.HANDLER_FAILED, "handler failed (IllegalStateException)");
            assertFails(session, 12, 5, RpcFailure.HANDLER_FAILED, "no response");
            assertFails(session, 13, 5, RpcFailure.TOO_LARGE, "response of 2000 bytes; at most 1000");
            assertFails(session, 14, 5, RpcFailure.BUSY, "\\x1b]0;title\\x07");
            assertFails(session, 99, 5, RpcFailure.UNKNOWN_METHOD, "no method 99");
            assertFails(session, ECHO, 100_000, RpcFailure.TOO_LARGE, "request of 100000 bytes; at most 1000");
            assertFails(session, ECHO, (1 << 20) + 1, RpcFailure.TOO_LARGE, "at most 1048576");
            assertThat(session.call(ECHO, random(3, 900), 0)).isEqualTo(random(3, 900));
        }
    }

    private static void assertFails(Session session, int method, int length, RpcFailure failure, String text) {
        assertThatThrownBy(() -> session.call(method, new byte[length], 0))
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.failure()).isEqualTo(failure))
                .hasMessageContaining(text);
    }

    @Test
    void reportsAFailureOfTheResponsesHandlerToItsCallerAlone() throws Exception {
        try (Session session = Session.open(RpcTest::echo)) {
            try (RpcCall call = session.begin(ECHO, random(1, 300_000), 0, input -> {
                input.getInt();
                throw new IOException("disk full");
            })) {
                call.send();
                assertThatThrownBy(call::join).hasRootCauseMessage("disk full");
            }
            assertThat(session.call(ECHO, random(2, 20), 0)).isEqualTo(random(2, 20));
        }
    }

    /** A server that keeps the calls of method DEFER until the test completes them. */
    private static RpcHandler deferring(BlockingQueue<RpcReply> replies) {
        return request -> {
            if (request.method() == DEFER) {
                replies.add(request.defer());
            } else {
                echo(request);
            }
        };
    }

    @Test
    void completesDeferredResponsesInAnyOrder() throws Exception {
        BlockingQueue<RpcReply> replies = new LinkedBlockingQueue<>();
        try (Session session = Session.open(deferring(replies))) {
            List<CompletableFuture<byte[]>> calls = new ArrayList<>();
            List<RpcReply> taken = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                calls.add(Peers.async(() -> session.call(DEFER, new byte[0], 0)));
                taken.add(replies.take());
            }
            assertThat(session.call(ECHO, new byte[] {1}, 0)).containsExactly(1);
            for (int i = 2; i > 0; i--) {
                RpcOutput out = taken.get(i).begin(4);
                out.putInt(i);
                taken.get(i).send();
                assertThat(calls.get(i).get()).containsExactly(0, 0, 0, i);
            }
            taken.get(0).fail(new RpcException(RpcFailure.BUSY, "no"));
            assertThatThrownBy(() -> calls.get(0).get()).hasRootCauseMessage("no");
            assertThatThrownBy(() -> taken.get(0).begin(1)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void cancelsACallAtItsDeadlineAndKeepsTheConnection() throws Exception {
        BlockingQueue<RpcReply> replies = new LinkedBlockingQueue<>();
        try (Session session = Session.open(SETTINGS.withWindow(1), SETTINGS, deferring(replies))) {
            assertFailsInTime(session);
            RpcReply late = replies.take();
            Waiting.until(LIMIT, late::isCancelled, () -> "the server does not learn of the cancellation");
            late.begin(8).putLong(1);
            late.send();
            // The only slot is free again when the late response has come.
            assertThat(session.call(ECHO, random(1, 100), 0)).isEqualTo(random(1, 100));
        }
    }

    private static void assertFailsInTime(Session session) {
        assertThatThrownBy(() -> session.call(DEFER, new byte[0], 50))
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.failure()).isEqualTo(RpcFailure.DEADLINE_EXCEEDED));
    }

    @Test
    void boundsTheWindowOnBothSides() throws Exception {
        BlockingQueue<RpcReply> replies = new LinkedBlockingQueue<>();
        RpcSettings two = SETTINGS.withWindow(2);
        try (Session session = Session.open(two.withWindow(3), two, deferring(replies))) {
            List<RpcCall> calls = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                RpcCall call = session.begin(DEFER, new byte[0], 0, RpcAnswerHandler.IGNORE);
                call.send();
                calls.add(call);
            }
            assertThatThrownBy(calls.get(2)::join).hasMessageContaining("2 responses are deferred");
            assertThatThrownBy(() -> session.call(ECHO, new byte[0], 50)).hasMessageContaining("window");
            for (RpcCall call : calls) {
                call.close();
            }
            for (int i = 0; i < 2; i++) {
                replies.take().fail(new RpcException(RpcFailure.CANCELLED, "cancelled"));
            }
            assertThat(session.call(ECHO, new byte[] {5}, 0)).containsExactly(5);
        }
    }

    @Test
    void failsCallsInFlightWhenTheServerEnds() throws Exception {
        BlockingQueue<RpcReply> replies = new LinkedBlockingQueue<>();
        try (Session session = Session.open(deferring(replies))) {
            CompletableFuture<byte[]> waiting = Peers.async(() -> session.call(DEFER, new byte[0], 0));
            RpcReply reply = replies.take();
            session.peers().server().abort();
            assertFailure(waiting, RpcFailure.CONNECTION);
            assertThatThrownBy(() -> session.call(ECHO, new byte[0], 0)).isInstanceOf(RpcException.class);
            session.served().exceptionally(failed -> null).join();
            assertThatThrownBy(() -> reply.begin(1)).isInstanceOf(ChannelException.class);
        }
    }

    @Test
    void failsCallsInFlightWhenTheClientCloses() throws Exception {
        BlockingQueue<RpcReply> replies = new LinkedBlockingQueue<>();
        try (Session session = Session.open(deferring(replies))) {
            CompletableFuture<byte[]> waiting = Peers.async(() -> session.call(DEFER, new byte[0], 0));
            replies.take();
            session.client().close();
            assertFailure(waiting, RpcFailure.CLOSED);
            session.served().get(20, TimeUnit.SECONDS);
        }
    }

    private static void assertFailure(CompletableFuture<?> call, RpcFailure failure) {
        assertThatThrownBy(() -> call.orTimeout(20, TimeUnit.SECONDS).join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.failure()).isEqualTo(failure));
    }

    @Test
    void endsTheConnectionWhenARequestOrResponseIsLeftIncomplete() throws Exception {
        try (Session session = Session.open(RpcTest::echo)) {
            RpcCall call = session.client().begin(ECHO, 10, 0, RpcAnswerHandler.IGNORE);
            call.output().putInt(1);
            assertThatThrownBy(call::send).isInstanceOf(IllegalStateException.class);
            call.close();
            assertFails(session, ECHO, 1, RpcFailure.CONNECTION, "closed before it was sent");
        }
        try (Session session = Session.open(request -> request.reply(10).putInt(1))) {
            assertFails(session, ECHO, 1, RpcFailure.CONNECTION, "");
            assertThatThrownBy(session.served()::join).hasMessageContaining("6 bytes of a response are missing");
        }
    }

    @Test
    void handlerNeverRunsAfterClose() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        boolean[] left = new boolean[1];
        try (Session session = Session.open(RpcTest::echo)) {
            RpcCall call = session.begin(ECHO, new byte[1], 0, input -> {
                inside.countDown();
                awaitLatch(leave);
                left[0] = true;
            });
            call.send();
            inside.await();
            CompletableFuture<Void> closed = Peers.async(() -> {
                call.close();
                assertThat(left[0]).isTrue();
                return null;
            });
            leave.countDown();
            closed.get(20, TimeUnit.SECONDS);
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Frames that no client may send: length, kind, reserved, detail, an error, a response. */
    @Test
    void endsConnectionsOfClientsThatBreakTheProtocol() throws Exception {
        int[][] frames = {
            {-1, 0, 0, 0},
            {0, 0, 0x7F00_0000, 0},
            {0, 0, 0x0001_0000, 0},
            {0, 0, 0, -1},
            {0, 0, 0x0100_0000, 0},
            {0, 0, 0x0200_0000, 0},
            {Integer.MAX_VALUE, 0, 0xFF00_0000, 0},
        };
        for (int[] frame : frames) {
            try (Peers peers = Peers.open()) {
                sendFrame(peers.client().outgoing(), frame);
                peers.client().send();
                RpcServer server = new RpcServer(peers.server(), SETTINGS, RpcTest::echo);
                assertThatThrownBy(server::serve)
                        .isInstanceOfSatisfying(
                                RpcException.class, e -> assertThat(e.failure()).isEqualTo(RpcFailure.PROTOCOL));
            }
        }
    }

    private static void sendFrame(OutgoingBatch batch, int... words) {
        for (int word : words) {
            batch.putInt(word);
        }
    }

    @Test
    void reportsAStreamThatEndsInsideACall() throws Exception {
        try (Peers peers = Peers.open()) {
            sendFrame(peers.client().outgoing(), 100, 0, ECHO, 0, 1);
            peers.client().send();
            peers.client().finish();
            RpcServer server = new RpcServer(peers.server(), SETTINGS, RpcTest::echo);
            assertThatThrownBy(server::serve)
                    .isInstanceOfSatisfying(
                            ChannelException.class,
                            e -> assertThat(e.failure()).isEqualTo(ChannelFailure.UNEXPECTED_END));
        }
    }

    /** Frames that no server may send: a request, an unknown id, an id out of the window, a response sent twice. */
    @Test
    void failsCallsOfServersThatBreakTheProtocol() throws Exception {
        int[][] frames = {
            {0, 1024, 0, 0},
            {0, 5, 0x0100_0000, 0},
            {0, 1023, 0x0100_0000, 0},
            {-1, 1024, 0x0100_0000, 0},
            {2000, 1024, 0x0200_0000, 1},
        };
        for (int[] frame : frames) {
            Peers peers = Peers.open();
            try (RpcClient client = new RpcClient(peers.client(), SETTINGS);
                    RpcCall call = client.begin(ECHO, 0, 0, RpcAnswerHandler.IGNORE)) {
                call.send();
                sendFrame(peers.server().outgoing(), frame);
                peers.server().send();
                assertThatThrownBy(call::join).isInstanceOf(RpcException.class);
                assertThatThrownBy(() -> client.begin(ECHO, 0, 0, RpcAnswerHandler.IGNORE))
                        .isInstanceOfSatisfying(
                                RpcException.class, e -> assertThat(e.failure()).isEqualTo(RpcFailure.PROTOCOL));
            } finally {
                peers.close();
            }
        }
    }
}
