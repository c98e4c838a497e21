package dev.sluice.ffi.openssl.raw;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libcrypto} for arithmetic on an elliptic curve, one method handle per C function, named after
 * it. Raw calls: pointers are {@code long} addresses, nothing is checked. Linked on first use.
 */
@SuppressWarnings("MemberName") // named after the C symbols
public final class LibCryptoCurve {
    private static final NativeLibrary LIBCRYPTO = OpenSsl.require().libcrypto();

    private LibCryptoCurve() {}

    private static final MethodHandle EC_GROUP_new_by_curve_name =
            LIBCRYPTO.function("EC_GROUP_new_by_curve_name", LONG, INT);
    /** Calls {@code EC_GROUP *EC_GROUP_new_by_curve_name(int nid)}. */
    public static long EC_GROUP_new_by_curve_name(int nid) {
        try {
            return (long) EC_GROUP_new_by_curve_name.invokeExact((long) nid);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EC_GROUP_new_by_curve_name", t);
        }
    }

    private static final MethodHandle EC_GROUP_free = LIBCRYPTO.function("EC_GROUP_free", VOID, LONG);
    /** Calls {@code void EC_GROUP_free(EC_GROUP *group)}. */
    public static void EC_GROUP_free(long group) {
        try {
            long _ = (long) EC_GROUP_free.invokeExact(group);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EC_GROUP_free", t);
        }
    }

    private static final MethodHandle EC_GROUP_get0_order = LIBCRYPTO.function("EC_GROUP_get0_order", LONG, LONG);
    /** Calls {@code const BIGNUM *EC_GROUP_get0_order(const EC_GROUP *group)}. Borrowed. */
    public static long EC_GROUP_get0_order(long group) {
        try {
            return (long) EC_GROUP_get0_order.invokeExact(group);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EC_GROUP_get0_order", t);
        }
    }

    private static final MethodHandle EC_POINT_new = LIBCRYPTO.function("EC_POINT_new", LONG, LONG);
    /** Calls {@code EC_POINT *EC_POINT_new(const EC_GROUP *group)}. */
    public static long EC_POINT_new(long group) {
        try {
            return (long) EC_POINT_new.invokeExact(group);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EC_POINT_new", t);
        }
    }

    private static final MethodHandle EC_POINT_clear_free = LIBCRYPTO.function("EC_POINT_clear_free", VOID, LONG);
    /** Calls {@code void EC_POINT_clear_free(EC_POINT *point)}. */
    public static void EC_POINT_clear_free(long point) {
        try {
            long _ = (long) EC_POINT_clear_free.invokeExact(point);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EC_POINT_clear_free", t);
        }
    }

    private static final MethodHandle EC_POINT_mul =
            LIBCRYPTO.function("EC_POINT_mul", INT, LONG, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EC_POINT_mul(const EC_GROUP *group, EC_POINT *result, const BIGNUM *ofGenerator, const
     * EC_POINT *point, const BIGNUM *ofPoint, BN_CTX *context)}.
     */
    public static int EC_POINT_mul(long group, long result, long ofGenerator, long point, long ofPoint, long context) {
        try {
            return (int) (long) EC_POINT_mul.invokeExact(group, result, ofGenerator, point, ofPoint, context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EC_POINT_mul", t);
        }
    }

    private static final MethodHandle EC_POINT_add =
            LIBCRYPTO.function("EC_POINT_add", INT, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EC_POINT_add(const EC_GROUP *group, EC_POINT *result, const EC_POINT *a, const EC_POINT *b,
     * BN_CTX *context)}.
     */
    public static int EC_POINT_add(long group, long result, long a, long b, long context) {
        try {
            return (int) (long) EC_POINT_add.invokeExact(group, result, a, b, context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EC_POINT_add", t);
        }
    }

    private static final MethodHandle EC_POINT_invert = LIBCRYPTO.function("EC_POINT_invert", INT, LONG, LONG, LONG);
    /** Calls {@code int EC_POINT_invert(const EC_GROUP *group, EC_POINT *point, BN_CTX *context)}. */
    public static int EC_POINT_invert(long group, long point, long context) {
        try {
            return (int) (long) EC_POINT_invert.invokeExact(group, point, context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EC_POINT_invert", t);
        }
    }

    private static final MethodHandle EC_POINT_is_at_infinity =
            LIBCRYPTO.function("EC_POINT_is_at_infinity", INT, LONG, LONG);
    /** Calls {@code int EC_POINT_is_at_infinity(const EC_GROUP *group, const EC_POINT *point)}. */
    public static int EC_POINT_is_at_infinity(long group, long point) {
        try {
            return (int) (long) EC_POINT_is_at_infinity.invokeExact(group, point);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EC_POINT_is_at_infinity", t);
        }
    }

    private static final MethodHandle EC_POINT_oct2point =
            LIBCRYPTO.function("EC_POINT_oct2point", INT, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code int EC_POINT_oct2point(const EC_GROUP *group, EC_POINT *point, const unsigned char *bytes, size_t
     * length, BN_CTX *context)}. Fails for a point that is not on the curve.
     */
    public static int EC_POINT_oct2point(long group, long point, long bytes, long length, long context) {
        try {
            return (int) (long) EC_POINT_oct2point.invokeExact(group, point, bytes, length, context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EC_POINT_oct2point", t);
        }
    }

    private static final MethodHandle EC_POINT_point2oct =
            LIBCRYPTO.function("EC_POINT_point2oct", LONG, LONG, LONG, INT, LONG, LONG, LONG);
    /**
     * Calls {@code size_t EC_POINT_point2oct(const EC_GROUP *group, const EC_POINT *point, point_conversion_form_t
     * form, unsigned char *bytes, size_t length, BN_CTX *context)}.
     */
    public static long EC_POINT_point2oct(long group, long point, int form, long bytes, long length, long context) {
        try {
            return (long) EC_POINT_point2oct.invokeExact(group, point, (long) form, bytes, length, context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("EC_POINT_point2oct", t);
        }
    }

    private static final MethodHandle BN_CTX_new = LIBCRYPTO.function("BN_CTX_new", LONG);
    /** Calls {@code BN_CTX *BN_CTX_new(void)}. */
    public static long BN_CTX_new() {
        try {
            return (long) BN_CTX_new.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BN_CTX_new", t);
        }
    }

    private static final MethodHandle BN_CTX_free = LIBCRYPTO.function("BN_CTX_free", VOID, LONG);
    /** Calls {@code void BN_CTX_free(BN_CTX *context)}. */
    public static void BN_CTX_free(long context) {
        try {
            long _ = (long) BN_CTX_free.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BN_CTX_free", t);
        }
    }

    private static final MethodHandle BN_new = LIBCRYPTO.function("BN_new", LONG);
    /** Calls {@code BIGNUM *BN_new(void)}. */
    public static long BN_new() {
        try {
            return (long) BN_new.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BN_new", t);
        }
    }

    private static final MethodHandle BN_clear_free = LIBCRYPTO.function("BN_clear_free", VOID, LONG);
    /** Calls {@code void BN_clear_free(BIGNUM *number)}. */
    public static void BN_clear_free(long number) {
        try {
            long _ = (long) BN_clear_free.invokeExact(number);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BN_clear_free", t);
        }
    }

    private static final MethodHandle BN_bin2bn = LIBCRYPTO.function("BN_bin2bn", LONG, LONG, INT, LONG);
    /** Calls {@code BIGNUM *BN_bin2bn(const unsigned char *bytes, int length, BIGNUM *out)}. */
    public static long BN_bin2bn(long bytes, int length, long out) {
        try {
            return (long) BN_bin2bn.invokeExact(bytes, (long) length, out);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BN_bin2bn", t);
        }
    }

    private static final MethodHandle BN_bn2binpad = LIBCRYPTO.function("BN_bn2binpad", INT, LONG, LONG, INT);
    /** Calls {@code int BN_bn2binpad(const BIGNUM *number, unsigned char *bytes, int length)}. */
    public static int BN_bn2binpad(long number, long bytes, int length) {
        try {
            return (int) (long) BN_bn2binpad.invokeExact(number, bytes, (long) length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BN_bn2binpad", t);
        }
    }

    private static final MethodHandle BN_nnmod = LIBCRYPTO.function("BN_nnmod", INT, LONG, LONG, LONG, LONG);
    /** Calls {@code int BN_nnmod(BIGNUM *result, const BIGNUM *number, const BIGNUM *modulus, BN_CTX *context)}. */
    public static int BN_nnmod(long result, long number, long modulus, long context) {
        try {
            return (int) (long) BN_nnmod.invokeExact(result, number, modulus, context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BN_nnmod", t);
        }
    }

    private static final MethodHandle BN_priv_rand_range = LIBCRYPTO.function("BN_priv_rand_range", INT, LONG, LONG);
    /** Calls {@code int BN_priv_rand_range(BIGNUM *result, const BIGNUM *range)}. */
    public static int BN_priv_rand_range(long result, long range) {
        try {
            return (int) (long) BN_priv_rand_range.invokeExact(result, range);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("BN_priv_rand_range", t);
        }
    }
}
