package dev.sluice.jsse.socket;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * An engine that needs no handshake and protects nothing: records of {@value #PLAIN_BYTES} bytes behind a header. It
 * allocates nothing, so that what is allocated on top of an engine can be counted.
 */
final class CopyingEngine extends SSLEngine {
    private static final int PLAIN_BYTES = 1000;
    private static final int HEADER_BYTES = 5;
    private static final byte APPLICATION_DATA = 23;
    private static final short VERSION = 0x0303;

    private static final SSLEngineResult CONSUMED_AND_PRODUCED =
            new SSLEngineResult(Status.OK, HandshakeStatus.NOT_HANDSHAKING, PLAIN_BYTES, PLAIN_BYTES);
    private static final SSLEngineResult UNDERFLOW =
            new SSLEngineResult(Status.BUFFER_UNDERFLOW, HandshakeStatus.NOT_HANDSHAKING, 0, 0);
    private static final SSLEngineResult OVERFLOW =
            new SSLEngineResult(Status.BUFFER_OVERFLOW, HandshakeStatus.NOT_HANDSHAKING, 0, 0);
    private static final SSLEngineResult CLOSED =
            new SSLEngineResult(Status.CLOSED, HandshakeStatus.NOT_HANDSHAKING, 0, 0);

    private final SSLEngine settings =
            SocketContexts.with(SocketKind.SUN_JSSE, null).createSSLEngine();
    private boolean outboundDone;
    private boolean inboundDone;

    @Override
    public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer target) {
        return wrap(sources[offset], target);
    }

    @Override
    public SSLEngineResult wrap(ByteBuffer source, ByteBuffer target) {
        if (outboundDone || !source.hasRemaining()) {
            return CLOSED;
        }
        if (target.remaining() < HEADER_BYTES + PLAIN_BYTES) {
            return OVERFLOW;
        }
        target.put(APPLICATION_DATA)
                .putShort(VERSION)
                .putShort((short) PLAIN_BYTES)
                .put(source);
        return CONSUMED_AND_PRODUCED;
    }

    @Override
    public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer target) {
        if (source.remaining() < HEADER_BYTES + PLAIN_BYTES) {
            return UNDERFLOW;
        }
        if (target.remaining() < PLAIN_BYTES) {
            return OVERFLOW;
        }
        int end = source.limit();
        source.position(source.position() + HEADER_BYTES);
        source.limit(source.position() + PLAIN_BYTES);
        target.put(source);
        source.limit(end);
        return CONSUMED_AND_PRODUCED;
    }

    @Override
    public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] targets, int offset, int length) {
        return unwrap(source, targets[offset]);
    }

    @Override
    public @Nullable Runnable getDelegatedTask() {
        return null;
    }

    @Override
    public void closeInbound() {
        inboundDone = true;
    }

    @Override
    public boolean isInboundDone() {
        return inboundDone;
    }

    @Override
    public void closeOutbound() {
        outboundDone = true;
    }

    @Override
    public boolean isOutboundDone() {
        return outboundDone;
    }

    @Override
    public HandshakeStatus getHandshakeStatus() {
        return HandshakeStatus.NOT_HANDSHAKING;
    }

    @Override
    public void beginHandshake() {
        // There is none.
    }

    @Override
    public SSLSession getSession() {
        return settings.getSession();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return settings.getSupportedCipherSuites();
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return settings.getEnabledCipherSuites();
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        settings.setEnabledCipherSuites(suites);
    }

    @Override
    public String[] getSupportedProtocols() {
        return settings.getSupportedProtocols();
    }

    @Override
    public String[] getEnabledProtocols() {
        return settings.getEnabledProtocols();
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
        settings.setEnabledProtocols(protocols);
    }

    @Override
    public void setUseClientMode(boolean mode) {
        settings.setUseClientMode(mode);
    }

    @Override
    public boolean getUseClientMode() {
        return settings.getUseClientMode();
    }

    @Override
    public void setNeedClientAuth(boolean need) {
        settings.setNeedClientAuth(need);
    }

    @Override
    public boolean getNeedClientAuth() {
        return settings.getNeedClientAuth();
    }

    @Override
    public void setWantClientAuth(boolean want) {
        settings.setWantClientAuth(want);
    }

    @Override
    public boolean getWantClientAuth() {
        return settings.getWantClientAuth();
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {
        settings.setEnableSessionCreation(flag);
    }

    @Override
    public boolean getEnableSessionCreation() {
        return settings.getEnableSessionCreation();
    }

    @Override
    public void setHandshakeApplicationProtocolSelector(
            @Nullable BiFunction<SSLEngine, List<String>, String> selector) {
        settings.setHandshakeApplicationProtocolSelector(selector);
    }

    @Override
    public @Nullable BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
        return settings.getHandshakeApplicationProtocolSelector();
    }
}
