package dev.sluice.ffi.openssl;

import dev.sluice.ffi.openssl.raw.LibCryptoCurve;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Arithmetic on the elliptic curve P-256. Points are arrays of {@value #POINT_BYTES} bytes, uncompressed (SEC 1 section
 * 2.3.3), scalars of {@value #SCALAR_BYTES} bytes, big-endian. A multiplication takes the same time for all scalars.
 * Native copies are wiped; the caller wipes its arrays. Confined to one thread.
 */
public final class CurveP256 extends NativeHandle {
    /** Size of an encoded point. */
    public static final int POINT_BYTES = 65;

    /** Size of an encoded scalar. */
    public static final int SCALAR_BYTES = 32;

    private static final int NID_X9_62_prime256v1 = 415; // <openssl/obj_mac.h>
    private static final int POINT_CONVERSION_UNCOMPRESSED = 4; // <openssl/ec.h>

    private final long context = LibCryptoCurve.BN_CTX_new();

    /** Creates an instance. */
    public CurveP256() {
        super(
                LibCryptoCurve.EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1),
                "EC_GROUP_new_by_curve_name",
                "EC_GROUP");
    }

    /** Returns a random scalar below the order; 0 with negligible probability. */
    public byte[] randomScalar() {
        long number = LibCryptoCurve.BN_new();
        try {
            require(LibCryptoCurve.BN_priv_rand_range(number, order()), "BN_priv_rand_range");
            return scalar(number);
        } finally {
            LibCryptoCurve.BN_clear_free(number);
        }
    }

    /** Returns a big-endian number of any length modulo the order. */
    public byte[] reduce(byte[] bytes) {
        long number = number(bytes);
        try {
            require(LibCryptoCurve.BN_nnmod(number, number, order(), context), "BN_nnmod");
            return scalar(number);
        } finally {
            LibCryptoCurve.BN_clear_free(number);
        }
    }

    /** Returns the product of a scalar and the generator. */
    public byte[] multiply(byte[] scalar) {
        long number = number(scalar);
        long result = LibCryptoCurve.EC_POINT_new(address());
        try {
            require(LibCryptoCurve.EC_POINT_mul(address(), result, number, 0, 0, context), "EC_POINT_mul");
            return encoded(result);
        } finally {
            LibCryptoCurve.EC_POINT_clear_free(result);
            LibCryptoCurve.BN_clear_free(number);
        }
    }

    /**
     * Returns the product of a scalar and a point.
     *
     * @param point in any encoding
     * @throws OpenSslException when the point is not on the curve, or the product is the point at infinity
     */
    public byte[] multiply(byte[] scalar, byte[] point) {
        long number = number(scalar);
        long result = point(point);
        try {
            require(LibCryptoCurve.EC_POINT_mul(address(), result, 0, result, number, context), "EC_POINT_mul");
            return encoded(result);
        } finally {
            LibCryptoCurve.EC_POINT_clear_free(result);
            LibCryptoCurve.BN_clear_free(number);
        }
    }

    /**
     * Returns the sum of two points.
     *
     * @throws OpenSslException when one is not on the curve, or the sum is the point at infinity
     */
    public byte[] add(byte[] a, byte[] b) {
        return combine(a, b, false);
    }

    /**
     * Returns the difference of two points.
     *
     * @throws OpenSslException when one is not on the curve, or both are equal
     */
    public byte[] subtract(byte[] a, byte[] b) {
        return combine(a, b, true);
    }

    private byte[] combine(byte[] a, byte[] b, boolean negated) {
        long first = point(a);
        long second = 0;
        try {
            second = point(b);
            if (negated) {
                require(LibCryptoCurve.EC_POINT_invert(address(), second, context), "EC_POINT_invert");
            }
            require(LibCryptoCurve.EC_POINT_add(address(), first, first, second, context), "EC_POINT_add");
            return encoded(first);
        } finally {
            LibCryptoCurve.EC_POINT_clear_free(first);
            LibCryptoCurve.EC_POINT_clear_free(second);
        }
    }

    private long order() {
        return LibCryptoCurve.EC_GROUP_get0_order(address());
    }

    private static long number(byte[] bytes) {
        ErrorQueue.clear();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            long number = LibCryptoCurve.BN_bin2bn(copy.address(), bytes.length, 0);
            copy.fill((byte) 0);
            require(number == 0 ? 0 : 1, "BN_bin2bn");
            return number;
        }
    }

    private static byte[] scalar(long number) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(SCALAR_BYTES);
            LibCryptoCurve.BN_bn2binpad(number, out.address(), SCALAR_BYTES);
            byte[] bytes = out.toArray(ValueLayout.JAVA_BYTE);
            out.fill((byte) 0);
            return bytes;
        }
    }

    private long point(byte[] bytes) {
        long point = LibCryptoCurve.EC_POINT_new(address());
        try (Arena arena = Arena.ofConfined()) {
            ErrorQueue.clear();
            long copy = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes).address();
            boolean finite = LibCryptoCurve.EC_POINT_oct2point(address(), point, copy, bytes.length, context) == 1
                    && LibCryptoCurve.EC_POINT_is_at_infinity(address(), point) == 0;
            if (!finite) {
                LibCryptoCurve.EC_POINT_clear_free(point);
            }
            require(finite ? 1 : 0, "EC_POINT_oct2point of a finite point");
            return point;
        }
    }

    private byte[] encoded(long point) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(POINT_BYTES);
            boolean finite = LibCryptoCurve.EC_POINT_is_at_infinity(address(), point) == 0;
            long length = finite
                    ? LibCryptoCurve.EC_POINT_point2oct(
                            address(), point, POINT_CONVERSION_UNCOMPRESSED, out.address(), POINT_BYTES, context)
                    : 0;
            require(length == POINT_BYTES ? 1 : 0, "EC_POINT_point2oct of a finite point");
            byte[] bytes = out.toArray(ValueLayout.JAVA_BYTE);
            out.fill((byte) 0);
            return bytes;
        }
    }

    private static void require(int returned, String what) {
        if (returned != 1) {
            throw OpenSslException.drained(what + " failed");
        }
    }

    @Override
    void free(long nativeAddress) {
        LibCryptoCurve.BN_CTX_free(context);
        LibCryptoCurve.EC_GROUP_free(nativeAddress);
    }
}
