package dev.sluice.gateway.accesslog;

import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.engine.ResumptionMiss;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The facts known about an open connection that will have a line in the access log. Confined to its loop. A hundred
 * bytes, which only connections that are logged have.
 */
public final class ConnectionRecord {
    final long startMillis;
    final long startNanos;
    long addressStart;
    long addressRest;
    long fromClient;
    long toClient;
    int queueMicros;
    int handshakeMicros;
    int wallMicros;
    char port;
    final char listener;
    char alpn;
    char version;
    char cipher;
    char group;
    char signature;
    char backend;
    char server;
    /** {@link NameTable#NONE} when no handshake was completed. */
    char kind;

    char miss;
    char ticket;
    boolean isIpv6;
    String serverName = "";
    String subject = "";
    String fingerprint = "";
    private final NameTable names;

    ConnectionRecord(NameTable names, long startMillis, long startNanos, String listener) {
        this.names = names;
        this.startMillis = startMillis;
        this.startNanos = startNanos;
        this.listener = names.numberOf(listener);
    }

    /** Returns true when the numbers in this record belong to this table. */
    boolean isOf(NameTable table) {
        return names == table;
    }

    /** Sets the address of the client. */
    public void peer(InetSocketAddress peer) {
        InetAddress known = peer.getAddress();
        if (known == null) {
            return;
        }
        byte[] address = known.getAddress();
        isIpv6 = address.length > Integer.BYTES;
        port = (char) peer.getPort();
        ByteBuffer bytes = ByteBuffer.wrap(address).order(ByteOrder.nativeOrder());
        if (isIpv6) {
            addressStart = bytes.getLong();
            addressRest = bytes.getLong();
        } else {
            addressStart = ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.nativeOrder())
                    .put(address)
                    .getLong(0);
        }
    }

    /** Sets the server name that the client requested in a handshake that is not complete. */
    public void serverName(String asked) {
        serverName = asked;
    }

    /**
     * The handshake is complete.
     *
     * @param waitedMicros until it began, in microseconds
     */
    public void handshake(HandshakeInfo info, long waitedMicros) {
        ResumptionMiss why = info.miss();
        kind = names.numberOf(info.kind().label());
        miss = why == null ? NameTable.NONE : names.numberOf(why.label());
        ticket = names.numberOf(info.ticket().label());
        serverName = info.serverName();
        subject = info.peerSubject();
        alpn = names.numberOf(info.alpn());
        version = names.numberOf(info.version());
        cipher = names.numberOf(info.cipher());
        group = names.numberOf(info.group());
        signature = names.numberOf(info.signature());
        queueMicros = capped(waitedMicros);
        handshakeMicros = capped(info.handshakeMicros());
        wallMicros = capped(info.wallMicros());
    }

    private static int capped(long micros) {
        return (int) Math.min(micros, Integer.MAX_VALUE);
    }

    /** Sets the client's JA4 fingerprint; "" for none. */
    public void fingerprint(String made) {
        fingerprint = made;
    }

    /** Sets the backend that the connection is to reach. */
    public void backend(String name) {
        backend = names.numberOf(name);
    }

    /** The server that has taken it. */
    public void server(String address) {
        server = names.numberOf(address);
    }

    /** Bytes have come from the client. */
    public void fromClient(int count) {
        fromClient += count;
    }

    /** Bytes go to the client. */
    public void toClient(int count) {
        toClient += count;
    }
}
