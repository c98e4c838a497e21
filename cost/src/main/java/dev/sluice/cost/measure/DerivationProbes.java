package dev.sluice.cost.measure;

import dev.sluice.cost.figures.Figure.Unit;
import dev.sluice.ffi.openssl.ChainVerification;
import dev.sluice.ffi.openssl.EvpKdfCtx;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.OsslParam;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The second phase: derivation of handshake keys from the shared secret, and verification of certificate chains. */
final class DerivationProbes {
    private DerivationProbes() {}

    static List<Probe> all(Certificates certificates, CpuClock clock) {
        List<Probe> probes = new ArrayList<>();
        probes.add(new OperationProbe(
                "derivation/tls13-sha256", Unit.MICROSECONDS, new Tls13Schedule("SHA256", 32), clock));
        probes.add(new OperationProbe(
                "derivation/tls13-sha384", Unit.MICROSECONDS, new Tls13Schedule("SHA384", 48), clock));
        for (KeyKind kind : List.of(KeyKind.RSA_2048, KeyKind.ECDSA_P256)) {
            for (int length = 1; length <= Certificates.LONGEST_CHAIN; length++) {
                probes.add(chain(certificates, kind, length, clock));
            }
        }
        return probes;
    }

    private static Probe chain(Certificates certificates, KeyKind kind, int length, CpuClock clock) {
        List<X509> sent = certificates.chain(kind, length);
        ChainVerification verification;
        try (X509 _ = sent.getFirst()) {
            verification = new ChainVerification(certificates.root(kind), sent);
        }
        return new OperationProbe(
                "chain/" + kind.path() + "/" + length,
                Unit.MICROSECONDS,
                OperationProbe.Operation.of(verification::run, verification::close),
                clock);
    }

    /**
     * All derivations of a full TLS 1.3 handshake at one end (RFC 8446 section 7.1): three HKDF-Extracts, and eighteen
     * HKDF-Expand-Labels: two for the next secret's salt, six for the secrets (handshake and application traffic of
     * both sides, exporter, resumption), two for Finished, and a key and an IV for four directions.
     */
    private static final class Tls13Schedule implements OperationProbe.Operation {
        private static final int EXTRACTS = 3;
        private static final int SECRETS = 10;
        private static final int KEYS = 4;
        private static final int KEY_BYTES = 16;
        private static final int IV_BYTES = 12;

        /** The size of an HkdfLabel with a hash. */
        private static final int INFO_BYTES = 50;

        private static final int BUFFER_BYTES = 64;

        private final Arena arena = Arena.ofConfined();
        private final EvpKdfCtx context = EvpKdfCtx.fetch("HKDF");
        private final int hashBytes;
        private final long out = arena.allocate(BUFFER_BYTES, Long.BYTES).address();
        private final long extract;
        private final long expand;

        Tls13Schedule(String digest, int hashBytes) {
            this.hashBytes = hashBytes;
            this.extract = parameters(digest, "EXTRACT_ONLY", "salt", hashBytes);
            this.expand = parameters(digest, "EXPAND_ONLY", "info", INFO_BYTES);
        }

        private long parameters(String digest, String mode, String extra, int extraBytes) {
            MemorySegment entries = arena.allocate(5L * OsslParam.BYTES, Long.BYTES);
            long entry = entries.address();
            entry = text(entry, "digest", digest);
            entry = text(entry, "mode", mode);
            entry = octets(entry, "key", hashBytes);
            entry = octets(entry, extra, extraBytes);
            OsslParam.end(entry);
            return entries.address();
        }

        private long text(long entry, String key, String value) {
            OsslParam.set(
                    entry,
                    arena.allocateFrom(key).address(),
                    OsslParam.UTF8_STRING,
                    arena.allocateFrom(value).address(),
                    value.length());
            return entry + OsslParam.BYTES;
        }

        private long octets(long entry, String key, int length) {
            OsslParam.set(
                    entry,
                    arena.allocateFrom(key).address(),
                    OsslParam.OCTET_STRING,
                    arena.allocate(length, Long.BYTES).address(),
                    length);
            return entry + OsslParam.BYTES;
        }

        @Override
        public void run() {
            repeat(EXTRACTS, hashBytes, extract);
            repeat(SECRETS, hashBytes, expand);
            repeat(KEYS, KEY_BYTES, expand);
            repeat(KEYS, IV_BYTES, expand);
        }

        private void repeat(int times, int length, long parameters) {
            for (int i = 0; i < times; i++) {
                LibCryptoAead.EVP_KDF_CTX_reset(context.address());
                if (LibCryptoAead.EVP_KDF_derive(context.address(), out, length, parameters) != 1) {
                    throw OpenSslException.drained("EVP_KDF_derive of HKDF failed");
                }
            }
        }

        @Override
        public void close() {
            context.close();
            arena.close();
        }
    }
}
