package dev.sluice.ffi.openssl.delegation;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_FUNC_KEYMGMT_EXPORT;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_FUNC_KEYMGMT_EXPORT_TYPES;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_FUNC_KEYMGMT_FREE;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_FUNC_KEYMGMT_GET_PARAMS;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_FUNC_KEYMGMT_HAS;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_FUNC_KEYMGMT_IMPORT;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_FUNC_KEYMGMT_IMPORT_TYPES;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_FUNC_KEYMGMT_NEW;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_KEYMGMT_SELECT_PRIVATE_KEY;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.OSSL_OP_SIGNATURE;

import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.OsslParam;
import dev.sluice.ffi.openssl.delegation.OsslDispatch.Function;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibCryptoProviders;
import dev.sluice.memory.Ledger;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;

/**
 * The key management of {@link SigningProvider}, see provider-keymgmt(7). A key is this record in native memory, which
 * OpenSSL frees with the last reference to its {@code EVP_PKEY}:
 *
 * <pre>
 *   0        8                   16
 *   +--------+-------------------+
 *   | number | public EVP_PKEY * |
 *   +--------+-------------------+
 * </pre>
 *
 * <p>The public key answers for everything but signatures; the private one cannot be exported. Exceptions do not
 * escape: a function fails instead.
 */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by libcrypto, with parameters of its choice
final class DelegatedKey {
    private static final int BYTES = 16;
    private static final int NUMBER_OFFSET = 0;
    private static final int PUBLIC_OFFSET = 8;

    /** The parameter of {@code EVP_PKEY_fromdata} whose value is the record above. */
    private static final String PARAMETER = "sluice-key";

    private static final int OK = 1;
    private static final int FAILED = 0;

    private static final MethodHandles.Lookup HERE = MethodHandles.lookup();
    private static final Ledger.Account ACCOUNT = Ledger.process().account("delegated key");
    private static final long NO_PARAMETERS = parameters(Arena.global(), 0, 0);
    private static final long ECDSA = Arena.global().allocateFrom("ECDSA").address();
    private static final long RSA = Arena.global().allocateFrom("RSA").address();

    private static final List<Function> FUNCTIONS = List.of(
            new Function(OSSL_FUNC_KEYMGMT_NEW, Upcall.to(HERE, "create", long.class, long.class)),
            new Function(OSSL_FUNC_KEYMGMT_FREE, Upcall.to(HERE, "free", void.class, long.class)),
            new Function(OSSL_FUNC_KEYMGMT_HAS, Upcall.to(HERE, "has", int.class, long.class, int.class)),
            new Function(
                    OSSL_FUNC_KEYMGMT_IMPORT,
                    Upcall.to(HERE, "importKey", int.class, long.class, int.class, long.class)),
            new Function(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, Upcall.to(HERE, "types", long.class, int.class)),
            new Function(
                    OSSL_FUNC_KEYMGMT_EXPORT,
                    Upcall.to(HERE, "exportKey", int.class, long.class, int.class, long.class, long.class)),
            new Function(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, Upcall.to(HERE, "types", long.class, int.class)),
            new Function(OSSL_FUNC_KEYMGMT_GET_PARAMS, Upcall.to(HERE, "getParams", int.class, long.class, long.class)),
            new Function(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, Upcall.to(HERE, "gettable", long.class, long.class)));

    private DelegatedKey() {}

    /**
     * Returns the address of the functions for a type of keys.
     *
     * @param signature the name of the signature algorithm; "" for that of the key type
     */
    static long functions(String signature) {
        List<Function> functions = new ArrayList<>(FUNCTIONS);
        switch (signature) {
            case "ECDSA" -> functions.add(name("ecdsa"));
            case "RSA" -> functions.add(name("rsa"));
            default -> {}
        }
        return OsslDispatch.array(functions.toArray(Function[]::new));
    }

    private static Function name(String method) {
        return new Function(OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, Upcall.to(HERE, method, long.class, int.class));
    }

    /** Returns the parameters from which {@code EVP_PKEY_fromdata} makes a key. */
    static long parameters(Arena arena, long shown, long number) {
        MemorySegment value = arena.allocate(BYTES, Long.BYTES);
        value.set(ValueLayout.JAVA_LONG, NUMBER_OFFSET, number);
        value.set(ValueLayout.JAVA_LONG, PUBLIC_OFFSET, shown);
        long array = arena.allocate(2L * OsslParam.BYTES, Long.BYTES).address();
        OsslParam.set(array, arena.allocateFrom(PARAMETER).address(), OsslParam.OCTET_STRING, value.address(), BYTES);
        OsslParam.end(array + OsslParam.BYTES);
        return array;
    }

    /** Returns the number of a key. */
    static long number(long key) {
        return RawMemory.getLong(key + NUMBER_OFFSET);
    }

    /** Returns the most bytes that a signature with a key has. */
    static int signatureBytes(long key) {
        return LibCryptoProviders.EVP_PKEY_get_size(publicKey(key));
    }

    private static long publicKey(long key) {
        return RawMemory.getLong(key + PUBLIC_OFFSET);
    }

    private static long create(long provider) {
        try {
            long key = LibC.calloc(1, BYTES);
            if (key != 0) {
                ACCOUNT.acquired(BYTES);
            }
            return key;
        } catch (Throwable t) {
            return 0;
        }
    }

    private static void free(long key) {
        try {
            if (key != 0) {
                LibCrypto.EVP_PKEY_free(publicKey(key));
                LibC.free(key);
                ACCOUNT.released(BYTES);
            }
        } catch (Throwable ignored) {
            // It would end the process; OpenSSL cannot be told.
        }
    }

    private static int has(long key, int selection) {
        return OK;
    }

    private static int importKey(long key, int selection, long parameters) {
        try {
            long entry = OsslParam.find(parameters, PARAMETER);
            if (entry == 0 || OsslParam.size(entry) != BYTES) {
                return FAILED; // a key of another provider
            }
            long shown = publicKey(OsslParam.data(entry));
            if (LibCryptoProviders.EVP_PKEY_up_ref(shown) != 1) {
                return FAILED;
            }
            RawMemory.putLong(key + NUMBER_OFFSET, number(OsslParam.data(entry)));
            RawMemory.putLong(key + PUBLIC_OFFSET, shown);
            return OK;
        } catch (Throwable t) {
            return FAILED;
        }
    }

    /** Exports the public key, for comparison with that of a certificate. */
    private static int exportKey(long key, int selection, long callback, long argument) {
        try {
            return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0
                    ? FAILED
                    : LibCryptoProviders.EVP_PKEY_export(publicKey(key), selection, callback, argument);
        } catch (Throwable t) {
            return FAILED;
        }
    }

    private static long types(int selection) {
        return NO_PARAMETERS;
    }

    private static int getParams(long key, long parameters) {
        try {
            return LibCryptoProviders.EVP_PKEY_get_params(publicKey(key), parameters);
        } catch (Throwable t) {
            return FAILED;
        }
    }

    private static long gettable(long provider) {
        return NO_PARAMETERS;
    }

    private static long ecdsa(int operation) {
        return operation == OSSL_OP_SIGNATURE ? ECDSA : 0;
    }

    private static long rsa(int operation) {
        return operation == OSSL_OP_SIGNATURE ? RSA : 0;
    }
}
