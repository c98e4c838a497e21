package dev.sluice.jsse.context;

import dev.sluice.ffi.openssl.Ssl;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLKeyException;
import org.jspecify.annotations.Nullable;

/** Native copies of the keys that a key manager has chosen, so that none is parsed per connection. Thread-safe. */
final class CredentialCache implements AutoCloseable {
    /** Bounds the memory under a key manager that makes keys up. */
    private static final int MAX_CREDENTIALS = 1_024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<CredentialId, NativeCredential> credentials = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * A key and its certificate, by content: the JDK's key manager returns other objects each time.
     *
     * @param key null for one without an encoding, of which nothing is copied
     */
    private record CredentialId(@Nullable PrivateKey key, X509Certificate certificate) {
        static CredentialId of(PrivateKey key, X509Certificate certificate) {
            return new CredentialId(key.getFormat() == null ? null : key, certificate);
        }

        /** The hash of the certificate, which caches it; that of a key would read the secret each time. */
        @Override
        public int hashCode() {
            return certificate.hashCode();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof CredentialId that
                    && certificate.equals(that.certificate)
                    && Objects.equals(key, that.key);
        }
    }

    /**
     * Presents a key's certificate in a handshake.
     *
     * @return the key if it signs in its provider; null for one that was copied
     */
    @Nullable
    DelegatedPrivateKey answer(Ssl ssl, PrivateKey key, List<X509Certificate> chain) throws SSLKeyException {
        CredentialId id = CredentialId.of(key, chain.getFirst());
        lock.lock();
        try {
            NativeCredential credential = credentials.get(id);
            if (credential == null) {
                credential = NativeCredential.of(key, chain);
                credentials.put(id, credential);
                evict();
            }
            credential.answer(ssl);
            return credential.delegated(key);
        } finally {
            lock.unlock();
        }
    }

    private void evict() {
        Iterator<NativeCredential> oldest = credentials.values().iterator();
        while (credentials.size() > MAX_CREDENTIALS) {
            oldest.next().close();
            oldest.remove();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            credentials.values().forEach(NativeCredential::close);
            credentials.clear();
        } finally {
            lock.unlock();
        }
    }
}
