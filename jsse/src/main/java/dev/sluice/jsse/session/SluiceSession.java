package dev.sluice.jsse.session;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLKeyException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSessionBindingEvent;
import javax.net.ssl.SSLSessionBindingListener;
import javax.net.ssl.SSLSessionContext;
import org.jspecify.annotations.Nullable;

/** A session of one connection; those that resume it share its id, times, validity and values. Thread-safe. */
public final class SluiceSession extends ExtendedSSLSession {
    /** The largest record that is sent, and that most peers send: a header, 2^14 bytes and the overhead of TLS 1.3. */
    public static final int PACKET_BYTES = 5 + 16_384 + 256;

    /** The largest record of TLS 1.2, see RFC 5246 section 6.2.3. */
    public static final int MAX_PACKET_BYTES = 5 + 16_384 + 2_048;

    private static final int HEADER_BYTES = 5;
    private static final String TLS_1_3 = "TLSv1.3";
    private static final int MAX_LABEL_BYTES = 249;
    private static final int MAX_CONTEXT_BYTES = 255;
    private static final int MAX_CONTEXT_BYTES_12 = 0xFFFF; // RFC 5705 section 4: its length has two bytes
    private static final int MAX_BLOCKS = 255;
    private static final int SHA_256_BYTES = 32;
    private static final int SHA_384_BYTES = 48;

    private final SessionState state;
    private final SessionFacts facts;
    private final @Nullable SessionCache cache;
    private final KeyExporter exporter;
    private volatile int packetBytes = PACKET_BYTES;

    private SluiceSession(SessionState state, SessionFacts facts, @Nullable SessionCache cache, KeyExporter exporter) {
        this.state = state;
        this.facts = facts;
        this.cache = cache;
        this.exporter = exporter;
    }

    /** Creates the session of an engine before its handshake, or during it: not valid, and in no cache. */
    public static SluiceSession unestablished(SessionFacts facts) {
        return new SluiceSession(new SessionState(new byte[0], false), facts, null, SluiceSession::nothingToExport);
    }

    /** Creates the session of a full handshake. */
    public static SluiceSession established(byte[] id, SessionFacts facts, SessionCache cache, KeyExporter exporter) {
        return new SluiceSession(new SessionState(id, true), facts, cache, exporter);
    }

    /** Creates the session of a connection that resumes this one. */
    public SluiceSession resumed(SessionFacts now, KeyExporter itsExporter) {
        state.accessed();
        return new SluiceSession(state, now, cache, itsExporter);
    }

    /** Returns the session for a cache, which does not keep the connection alive. */
    SluiceSession cached() {
        return new SluiceSession(state, facts, cache, SluiceSession::nothingToExport);
    }

    private static byte[] nothingToExport(String label, byte @Nullable [] context, int length) {
        throw new IllegalStateException("keying material requires the session of an open connection");
    }

    /** Returns the facts of the connection. */
    public SessionFacts facts() {
        return facts;
    }

    SessionIdentity identity() {
        return state.id();
    }

    /** Makes room for records of TLS 1.2 that are larger than usual. */
    public void expandBuffers() {
        packetBytes = MAX_PACKET_BYTES;
    }

    @Override
    public byte[] getId() {
        return state.id().bytes().clone();
    }

    @Override
    public @Nullable SSLSessionContext getSessionContext() {
        return cache;
    }

    @Override
    public long getCreationTime() {
        return state.createdMillis();
    }

    @Override
    public long getLastAccessedTime() {
        return state.accessedMillis();
    }

    @Override
    public void invalidate() {
        state.invalidate();
        if (cache != null) {
            cache.remove(this);
        }
    }

    @Override
    public boolean isValid() {
        return state.isValid() && (cache == null || !cache.isExpired(this));
    }

    @Override
    public void putValue(String name, Object value) {
        if (name == null || value == null) {
            throw new IllegalArgumentException("arguments can not be null");
        }
        Object before = state.values().put(name, value);
        unbound(name, before);
        if (value instanceof SSLSessionBindingListener listener) {
            listener.valueBound(new SSLSessionBindingEvent(this, name));
        }
    }

    @Override
    public @Nullable Object getValue(String name) {
        if (name == null) {
            throw new IllegalArgumentException("argument can not be null");
        }
        return state.values().get(name);
    }

    @Override
    public void removeValue(String name) {
        if (name == null) {
            throw new IllegalArgumentException("argument can not be null");
        }
        unbound(name, state.values().remove(name));
    }

    private void unbound(String name, @Nullable Object value) {
        if (value instanceof SSLSessionBindingListener listener) {
            listener.valueUnbound(new SSLSessionBindingEvent(this, name));
        }
    }

    @Override
    public String[] getValueNames() {
        return state.values().keySet().toArray(String[]::new);
    }

    @Override
    public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
        requirePeer();
        return facts.peer().toArray(Certificate[]::new);
    }

    @Override
    public Certificate @Nullable [] getLocalCertificates() {
        return facts.local().isEmpty() ? null : facts.local().toArray(Certificate[]::new);
    }

    @Override
    public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
        requirePeer();
        return facts.peer().getFirst().getSubjectX500Principal();
    }

    private void requirePeer() throws SSLPeerUnverifiedException {
        if (facts.peer().isEmpty()) {
            throw new SSLPeerUnverifiedException("peer not authenticated");
        }
    }

    @Override
    public @Nullable Principal getLocalPrincipal() {
        List<X509Certificate> local = facts.local();
        return local.isEmpty() ? null : local.getFirst().getSubjectX500Principal();
    }

    @Override
    public String getCipherSuite() {
        return facts.suite();
    }

    @Override
    public String getProtocol() {
        return facts.protocol();
    }

    @Override
    public @Nullable String getPeerHost() {
        return facts.peerHost();
    }

    @Override
    public int getPeerPort() {
        return facts.peerPort();
    }

    @Override
    public int getPacketBufferSize() {
        return packetBytes;
    }

    @Override
    public int getApplicationBufferSize() {
        return packetBytes - HEADER_BYTES;
    }

    @Override
    public String[] getLocalSupportedSignatureAlgorithms() {
        return facts.localSchemes().toArray(String[]::new);
    }

    @Override
    public String[] getPeerSupportedSignatureAlgorithms() {
        return facts.peerSchemes().toArray(String[]::new);
    }

    @Override
    public List<SNIServerName> getRequestedServerNames() {
        return facts.serverNames();
    }

    @Override
    public List<byte[]> getStatusResponses() {
        return facts.staples().stream().map(byte[]::clone).toList();
    }

    @Override
    public SecretKey exportKeyingMaterialKey(String keyAlg, String label, byte @Nullable [] context, int length)
            throws SSLKeyException {
        Objects.requireNonNull(keyAlg, "keyAlg");
        if (keyAlg.isEmpty()) {
            throw new IllegalArgumentException("keyAlg is empty; name the algorithm of the key");
        }
        return new SecretKeySpec(exportKeyingMaterialData(label, context, length), keyAlg);
    }

    @Override
    public byte[] exportKeyingMaterialData(String label, byte @Nullable [] context, int length) throws SSLKeyException {
        Objects.requireNonNull(label, "label");
        if (length < 1) {
            throw new IllegalArgumentException("keying material has at least one byte, length=" + length);
        }
        boolean tls13 = facts.protocol().equals(TLS_1_3);
        int most = tls13 ? MAX_CONTEXT_BYTES : MAX_CONTEXT_BYTES_12;
        if (context != null && context.length > most) {
            throw new IllegalArgumentException(
                    "a context has at most " + most + " bytes, this one has " + context.length);
        }
        if (tls13) {
            requireFitting(label, length);
        }
        return exporter.export(label, context, length);
    }

    /** Checks the bounds of RFC 8446 section 7.1 and RFC 5869 section 2.3. */
    private void requireFitting(String label, int length) {
        int hash = facts.suite().endsWith("SHA384") ? SHA_384_BYTES : SHA_256_BYTES;
        int labelBytes = label.getBytes(StandardCharsets.UTF_8).length;
        if (labelBytes == 0 || labelBytes > MAX_LABEL_BYTES) {
            throw new IllegalArgumentException(
                    "a label has 1 to " + MAX_LABEL_BYTES + " bytes, this one has " + labelBytes);
        }
        if (length > MAX_BLOCKS * hash) {
            throw new IllegalArgumentException(
                    "at most " + MAX_BLOCKS * hash + " bytes can be exported, length=" + length);
        }
    }

    @Override
    public String toString() {
        return "Session(" + getCreationTime() + "|" + facts.suite() + ")";
    }
}
