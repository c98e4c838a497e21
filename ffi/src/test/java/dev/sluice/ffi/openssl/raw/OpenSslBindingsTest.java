package dev.sluice.ffi.openssl.raw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.internal.ErrnoFunction;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.ProcessClock;
import dev.sluice.ffi.libc.ThreadClock;
import dev.sluice.testkit.CProbe;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenSslBindingsTest {
    private static final Set<Class<?>> FUNCTIONS = Set.of(MethodHandle.class, ErrnoFunction.class);

    /** Functions absent from the oldest headers that the test may find. */
    private static final Set<String> OPTIONAL = Set.of("SSL_get0_group_name", "SSL_CTX_compress_certs");

    /**
     * Compiles a call of each function: the compiler rejects a wrong number of arguments and reports the width of the
     * result.
     */
    @ParameterizedTest
    @ValueSource(
            classes = {
                LibSsl.class,
                LibSslDelegation.class,
                LibSslDetach.class,
                LibSslSessions.class,
                LibSslSessionSizes.class,
                LibSslSignature.class,
                LibSslStapling.class,
                LibSslTickets.class,
                LibSslVerify.class,
                LibCrypto.class,
                LibCryptoAead.class,
                LibCryptoChains.class,
                LibCryptoCopies.class,
                LibCryptoHandshake.class,
                LibCryptoNames.class,
                LibCryptoOcsp.class,
                LibCryptoOperations.class,
                LibCryptoPkcs12.class,
                LibCryptoProviders.class,
                LibCryptoTrust.class
            })
    void everyBindingHasTheArgumentsAndTheResultOfItsFunction(Class<?> bindings) throws IllegalAccessException {
        Map<String, Long> ours = new TreeMap<>();
        CProbe probe = new CProbe(
                "openssl/ssl.h",
                "openssl/err.h",
                "openssl/pem.h",
                "openssl/bio.h",
                "openssl/evp.h",
                "openssl/kdf.h",
                "openssl/crypto.h",
                "openssl/rand.h",
                "openssl/rsa.h",
                "openssl/sha.h",
                "openssl/provider.h",
                "openssl/ocsp.h",
                "openssl/pkcs12.h",
                "openssl/x509v3.h",
                "openssl/x509_vfy.h");
        for (Field field : bindings.getDeclaredFields()) {
            if (FUNCTIONS.contains(field.getType()) && !OPTIONAL.contains(field.getName())) {
                field.setAccessible(true);
                String call = "sizeof(" + field.getName() + "(" + zeros(parameters(field.get(null))) + "))";
                ours.put(call, width(binding(bindings, field.getName()).getReturnType()));
                probe.ask(call);
            }
        }

        assertThat(new TreeMap<>(probe.answers())).isEqualTo(ours).isNotEmpty();
    }

    /** Checks the argument types of each handle: another type throws, but only at the call. */
    @ParameterizedTest
    @ValueSource(
            classes = {
                LibSsl.class,
                LibSslDelegation.class,
                LibSslDetach.class,
                LibSslSessions.class,
                LibSslSessionSizes.class,
                LibSslSignature.class,
                LibSslStapling.class,
                LibSslTickets.class,
                LibSslVerify.class,
                LibCrypto.class,
                LibCryptoAead.class,
                LibCryptoChains.class,
                LibCryptoCopies.class,
                LibCryptoHandshake.class,
                LibCryptoNames.class,
                LibCryptoOcsp.class,
                LibCryptoOperations.class,
                LibCryptoPkcs12.class,
                LibCryptoProviders.class,
                LibCryptoTrust.class,
                LibC.class,
                ProcessClock.class,
                ThreadClock.class
            })
    void everyHandleIsCalledWithLongs(Class<?> bindings) throws IOException {
        List<String> calls = callsOfHandles(bindings);

        assertThat(calls).isNotEmpty().allMatch(type -> type.matches("\\(J*\\)J"));
    }

    private static List<String> callsOfHandles(Class<?> bindings) throws IOException {
        try (InputStream file = bindings.getResourceAsStream(bindings.getSimpleName() + ".class")) {
            return ClassFile.of().parse(Objects.requireNonNull(file).readAllBytes()).methods().stream()
                    .flatMap(method -> method.code().stream())
                    .flatMap(CodeModel::elementStream)
                    .filter(InvokeInstruction.class::isInstance)
                    .map(InvokeInstruction.class::cast)
                    .filter(call -> call.name().equalsString("invokeExact"))
                    .map(call -> call.type().stringValue())
                    .toList();
        }
    }

    /** Returns the method that calls a handle; every handle returns long, so the method decides the C result type. */
    private static Method binding(Class<?> bindings, String function) {
        return Arrays.stream(bindings.getDeclaredMethods())
                .filter(method -> method.getName().equals(function))
                .findFirst()
                .orElseThrow();
    }

    private static int parameters(Object function) {
        return function instanceof ErrnoFunction errnoFunction
                ? errnoFunction.parameterCount()
                : ((MethodHandle) function).type().parameterCount();
    }

    private static String zeros(int count) {
        return Stream.generate(() -> "0").limit(count).collect(Collectors.joining(", "));
    }

    /** Returns the width of a C type; in GNU C, {@code sizeof(void)} is 1. */
    private static long width(Class<?> type) {
        if (type == void.class || type == byte.class) {
            return 1;
        }
        return type == int.class ? Integer.BYTES : Long.BYTES;
    }
}
