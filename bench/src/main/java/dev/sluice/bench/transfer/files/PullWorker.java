package dev.sluice.bench.transfer.files;

import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.KeyFingerprint;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import dev.sluice.transfer.move.Receiver;
import dev.sluice.transfer.move.ReceiverOptions;
import dev.sluice.transfer.move.StreamFactory;
import dev.sluice.transfer.move.TransferListener;
import dev.sluice.transfer.protocol.ChannelWire;
import dev.sluice.transfer.protocol.ProtocolLimits;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.protocol.Wire;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A process that pulls again and again from a running {@code sluice serve}, so that its code is compiled.
 *
 * <p>Arguments: its key file, the server's fingerprint. Answers each of these input lines with a line:
 *
 * <pre>
 *   pull PORT PATH DIRECTORY STREAMS WINDOW   ok nanos=N: connections, handshakes and all
 * </pre>
 */
public final class PullWorker {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(20);

    private final OwnKey key;
    private final AllowedKeys server;

    private PullWorker(String[] arguments) {
        this.key = OwnKey.loadOrCreate(Path.of(arguments[0]), OwnKeyType.ED25519);
        this.server = AllowedKeys.of(KeyFingerprint.parse(arguments[1]));
    }

    /** Serves until the end of input. */
    public static void main(String[] arguments) throws IOException {
        PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // other output must not mix with the answers
        BufferedReader input = new BufferedReader(
                new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
        PullWorker worker = new PullWorker(arguments);
        output.println("ok library=" + OpenSsl.require().version());
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            try {
                output.println("ok nanos=" + worker.pull(line.split(" ", -1)));
            } catch (IOException | RuntimeException e) {
                output.println("failed: " + e);
            }
        }
    }

    private long pull(String[] words) throws IOException {
        int port = Integer.parseInt(words[1]);
        ReceiverOptions options = ReceiverOptions.DEFAULT
                .withPath(words[2].getBytes(StandardCharsets.UTF_8))
                .withStreams(Integer.parseInt(words[4]))
                .withWindowBytes(Long.parseLong(words[5]));
        byte[] session = new byte[ProtocolLimits.SESSION_BYTES];
        ThreadLocalRandom.current().nextBytes(session);
        long begin = System.nanoTime();
        StreamFactory streams = streams(port);
        TransferSummary summary =
                new Receiver(Path.of(words[3]), options, TransferListener.NONE).pull(streams.open(0), session, streams);
        long nanos = System.nanoTime() - begin;
        if (summary.failed() > 0) {
            throw new IOException("entries failed: " + summary.failed());
        }
        return nanos;
    }

    private StreamFactory streams(int port) {
        return new StreamFactory() {
            @Override
            public Wire open(int stream) throws IOException {
                return new ChannelWire(connect(port));
            }

            @Override
            public Duration furtherAfter() {
                return FURTHER_AFTER;
            }
        };
    }

    private SecureChannel connect(int port) throws ChannelException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return SecureChannel.connect(ChannelSocket.connect(address, CONNECT_LIMIT), key, server, ChannelWire.SETTINGS);
    }
}
