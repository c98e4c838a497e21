package dev.sluice.tls;

import dev.sluice.testkit.Credential;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Security;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** The JDK's TLS as a {@link Peer}: an independent implementation, which reveals misunderstandings of ours. */
public final class JdkPeer implements Peer {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final char[] NO_PASSWORD = {};

    static {
        // Before the JDK's TLS reads it: a key update each way every 16 KiB, instead of after 128 GiB.
        Security.setProperty("jdk.tls.keyLimits", "AES/GCM/NoPadding KeyUpdate 2^14, ChaCha20-Poly1305 KeyUpdate 2^14");
    }

    private final SSLEngine engine;
    private final ByteBuffer wire = ByteBuffer.allocate(BUFFER_BYTES);
    private final ByteBuffer plain = ByteBuffer.allocate(BUFFER_BYTES);
    private byte[] offered = {};
    private byte[] output = {};
    private byte[] received = {};
    private boolean established;
    private String failure = "";

    private JdkPeer(SSLEngine engine) {
        this.engine = engine;
    }

    /** Creates a client that trusts an authority, without a certificate. */
    public static JdkPeer client(X509Certificate trusted, String host, Consumer<SSLParameters> changes) {
        return make(context(trusted, null).createSSLEngine(host, 443), true, changes);
    }

    /** Creates a client of a context, so that sessions are resumed. */
    public static JdkPeer client(SSLContext context, String host, Consumer<SSLParameters> changes) {
        return make(context.createSSLEngine(host, 443), true, changes);
    }

    /** Creates a server. */
    public static JdkPeer server(Credential credential, X509Certificate trusted, Consumer<SSLParameters> changes) {
        return make(context(trusted, credential).createSSLEngine(), false, changes);
    }

    /** Creates a server of a context, so that sessions are resumed. */
    public static JdkPeer server(SSLContext context) {
        return make(context.createSSLEngine(), false, parameters -> {});
    }

    public static SSLContext context(X509Certificate trusted, @Nullable Credential credential) {
        try {
            KeyStore trust = KeyStore.getInstance("PKCS12");
            trust.load(null, null);
            trust.setCertificateEntry("root", trusted);
            TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
            trustManagers.init(trust);
            KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
            keyManagers.init(keys(credential), NO_PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError("the JDK makes no TLS context", e);
        }
    }

    private static KeyStore keys(@Nullable Credential credential) throws GeneralSecurityException, IOException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        if (credential != null) {
            keys.setKeyEntry(
                    "own", credential.key(), NO_PASSWORD, credential.chain().toArray(Certificate[]::new));
        }
        return keys;
    }

    private static JdkPeer make(SSLEngine engine, boolean client, Consumer<SSLParameters> changes) {
        engine.setUseClientMode(client);
        SSLParameters parameters = engine.getSSLParameters();
        if (client) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        changes.accept(parameters);
        engine.setSSLParameters(parameters);
        return new JdkPeer(engine);
    }

    public SSLSession session() {
        return engine.getSession();
    }

    public String alpn() {
        return engine.getApplicationProtocol();
    }

    @Override
    public void handshake() {
        if (!failure.isEmpty()) {
            wrapAlert();
            return;
        }
        try {
            if (engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING && !established) {
                engine.beginHandshake();
            }
            while (step()) {
                // step by step, while there is progress
            }
        } catch (SSLException e) {
            failure = String.valueOf(e.getMessage());
            wrapAlert();
        }
    }

    private boolean step() throws SSLException {
        return switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> {
                Runnable task = engine.getDelegatedTask();
                if (task != null) {
                    task.run();
                }
                yield true;
            }
            case NEED_WRAP -> wrap(ByteBuffer.allocate(0)).bytesProduced() > 0;
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> offered.length > 0 && unwrap();
            case FINISHED, NOT_HANDSHAKING -> false;
        };
    }

    private SSLEngineResult wrap(ByteBuffer from) throws SSLException {
        wire.clear();
        SSLEngineResult result = engine.wrap(from, wire);
        note(result);
        output = Bytes.join(output, Arrays.copyOf(wire.array(), wire.position()));
        return result;
    }

    private void wrapAlert() {
        try {
            while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP
                    && wrap(ByteBuffer.allocate(0)).bytesProduced() > 0) {
                // the alert
            }
        } catch (SSLException e) {
            // Nothing more to send.
        }
    }

    private boolean unwrap() throws SSLException {
        plain.clear();
        ByteBuffer in = ByteBuffer.wrap(offered);
        SSLEngineResult result = engine.unwrap(in, plain);
        note(result);
        offered = Arrays.copyOfRange(offered, in.position(), offered.length);
        received = Bytes.join(received, Arrays.copyOf(plain.array(), plain.position()));
        return result.bytesConsumed() > 0 || result.bytesProduced() > 0;
    }

    private void note(SSLEngineResult result) {
        established |= result.getHandshakeStatus() == HandshakeStatus.FINISHED;
    }

    @Override
    public boolean isEstablished() {
        return established;
    }

    @Override
    public String failure() {
        return failure;
    }

    @Override
    public void write(byte[] plaintext) {
        ByteBuffer from = ByteBuffer.wrap(plaintext);
        try {
            while (from.hasRemaining()) {
                wrap(from);
            }
        } catch (SSLException e) {
            throw new AssertionError("the JDK cannot write", e);
        }
    }

    @Override
    public byte[] read() {
        try {
            while (offered.length > 0 && !engine.isInboundDone() && unwrap()) {
                handshake();
            }
        } catch (SSLException e) {
            failure = String.valueOf(e.getMessage());
            wrapAlert();
        }
        byte[] all = received;
        received = new byte[0];
        return all;
    }

    @Override
    public boolean sawCloseNotify() {
        return failure.isEmpty() && engine.isInboundDone();
    }

    @Override
    public void closeOutput() {
        engine.closeOutbound();
        try {
            while (!engine.isOutboundDone() && wrap(ByteBuffer.allocate(0)).bytesProduced() > 0) {
                // close_notify
            }
        } catch (SSLException e) {
            throw new AssertionError("the JDK cannot close", e);
        }
    }

    @Override
    public byte[] takeOutput() {
        byte[] taken = output;
        output = new byte[0];
        return taken;
    }

    @Override
    public void offer(byte[] bytes) {
        offered = Bytes.join(offered, bytes);
    }

    @Override
    public void endOfStream() {
        try {
            engine.closeInbound();
        } catch (SSLException e) {
            failure = String.valueOf(e.getMessage());
        }
    }

    @Override
    public void close() {
        engine.closeOutbound();
    }
}
