package dev.sluice.ffi.openssl.delegation;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.raw.LibCryptoChains;
import dev.sluice.ffi.openssl.raw.LibCryptoOperations;
import dev.sluice.ffi.openssl.raw.LibCryptoProviders;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * A provider of OpenSSL (provider(7)) whose private keys are numbers: {@link
 * dev.sluice.ffi.openssl.HandshakeCallbacks.Target#onSign} signs for them. One for the whole process, in a library
 * context ({@code OSSL_LIB_CTX}) of its own, so that no other key and no other algorithm is ever looked up in it.
 * Connections stay in the default library context: since such a key cannot be exported to the default provider, OpenSSL
 * signs with the provider that the key is of.
 *
 * <pre>
 *   SSL_do_handshake ──▶ EVP_DigestSign ──▶ {@link DelegatedSignature} ──▶ Target.onSign(number, …)
 *                                            {@link DelegatedKey}: the number, and the public key
 * </pre>
 *
 * <p>Thread-safe.
 */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by libcrypto, with parameters of its choice
public final class SigningProvider {
    private static final String NAME = "sluice-signing";
    private static final int INITIALIZED = 1;
    private static final int FAILED = 0;

    private static final String RSA = "RSA:rsaEncryption:1.2.840.113549.1.1.1";
    private static final String RSA_PSS = "RSA-PSS:RSASSA-PSS:1.2.840.113549.1.1.10";
    private static final String EC = "EC:id-ecPublicKey:1.2.840.10045.2.1";
    private static final String ED25519 = "ED25519:1.3.101.112";
    private static final String ED448 = "ED448:1.3.101.113";

    private static @Nullable SigningProvider loaded;

    /** The library context; lives as long as the process. */
    private final long library;

    private SigningProvider(long library) {
        this.library = library;
    }

    /** The provider's tables, made at its first use. */
    private static final class Tables {
        private static final long KEY_TYPES = OsslAlgorithm.array(
                "provider=" + NAME,
                new OsslAlgorithm.Entry(RSA, DelegatedKey.functions("")),
                new OsslAlgorithm.Entry(RSA_PSS, DelegatedKey.functions("RSA")),
                new OsslAlgorithm.Entry(EC, DelegatedKey.functions("ECDSA")),
                new OsslAlgorithm.Entry(ED25519, DelegatedKey.functions("")),
                new OsslAlgorithm.Entry(ED448, DelegatedKey.functions("")));

        private static final long SIGNATURE = DelegatedSignature.functions();

        private static final long SIGNATURES = OsslAlgorithm.array(
                "provider=" + NAME,
                new OsslAlgorithm.Entry(RSA, SIGNATURE),
                new OsslAlgorithm.Entry("ECDSA", SIGNATURE),
                new OsslAlgorithm.Entry(ED25519, SIGNATURE),
                new OsslAlgorithm.Entry(ED448, SIGNATURE));
    }

    /**
     * Makes a key pair of a certificate's public key and a private key that is elsewhere.
     *
     * @param number the private key's, for {@code onSign}
     * @return the caller closes it
     * @throws OpenSslException when keys of this type are not supported
     */
    public static EvpPkey key(X509 certificate, long number) {
        ErrorQueue.clear();
        long shown = LibCryptoChains.X509_get0_pubkey(certificate.address());
        if (shown == 0) {
            throw OpenSslException.drained("X509_get0_pubkey failed");
        }
        return loaded().make(shown, number);
    }

    private static synchronized SigningProvider loaded() {
        SigningProvider result = loaded;
        if (result == null) {
            result = load();
            loaded = result;
        }
        return result;
    }

    private static SigningProvider load() {
        long init =
                Upcall.to(MethodHandles.lookup(), "init", int.class, long.class, long.class, long.class, long.class);
        long library = LibCryptoProviders.OSSL_LIB_CTX_new();
        if (library == 0) {
            throw OpenSslException.drained("OSSL_LIB_CTX_new failed");
        }
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocateFrom(NAME).address();
            if (LibCryptoProviders.OSSL_PROVIDER_add_builtin(library, name, init) != 1
                    || LibCryptoProviders.OSSL_PROVIDER_load(library, name) == 0) {
                OpenSslException failure = OpenSslException.drained("OSSL_PROVIDER_load of " + NAME + " failed");
                LibCryptoProviders.OSSL_LIB_CTX_free(library);
                throw failure;
            }
        }
        return new SigningProvider(library);
    }

    /** Implements {@code OSSL_provider_init_fn}, see provider(7). */
    private static int init(long handle, long core, long out, long context) {
        try {
            long query =
                    Upcall.to(MethodHandles.lookup(), "queryOperation", long.class, long.class, int.class, long.class);
            RawMemory.putLong(
                    out,
                    OsslDispatch.array(
                            new OsslDispatch.Function(OpenSslConstants.OSSL_FUNC_PROVIDER_QUERY_OPERATION, query)));
            RawMemory.putLong(context, handle); // OpenSSL passes it on; none of the functions needs it
            return INITIALIZED;
        } catch (Throwable t) {
            return FAILED;
        }
    }

    /** Implements {@code OSSL_FUNC_provider_query_operation}, see provider-base(7). */
    private static long queryOperation(long provider, int operation, long noCache) {
        try {
            RawMemory.putInt(noCache, 0);
            return switch (operation) {
                case OpenSslConstants.OSSL_OP_KEYMGMT -> Tables.KEY_TYPES;
                case OpenSslConstants.OSSL_OP_SIGNATURE -> Tables.SIGNATURES;
                default -> 0;
            };
        } catch (Throwable t) {
            return 0;
        }
    }

    private EvpPkey make(long shown, long number) {
        long type = LibCryptoProviders.EVP_PKEY_get0_type_name(shown);
        String failed = "EVP_PKEY_fromdata of " + RawMemory.getString(type);
        long context = LibCryptoOperations.EVP_PKEY_CTX_new_from_name(library, type, 0);
        if (context == 0) {
            throw OpenSslException.drained("EVP_PKEY_CTX_new_from_name of " + RawMemory.getString(type) + " failed");
        }
        try (Arena arena = Arena.ofConfined()) {
            long parameters = DelegatedKey.parameters(arena, shown, number);
            MemorySegment key = arena.allocate(ValueLayout.JAVA_LONG);
            if (LibCryptoProviders.EVP_PKEY_fromdata_init(context) == 1) {
                LibCryptoProviders.EVP_PKEY_fromdata(
                        context, key.address(), OpenSslConstants.OSSL_KEYMGMT_SELECT_KEYPAIR, parameters);
            }
            return EvpPkey.owning(key.get(ValueLayout.JAVA_LONG, 0), failed);
        } finally {
            LibCryptoOperations.EVP_PKEY_CTX_free(context);
        }
    }
}
