package dev.sluice.gateway.plainhttp;

import dev.sluice.ffi.libc.RawMemory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;

/** The begin of a connection, as far as it is that of a plain HTTP/1.x request. */
public enum HttpBegin {
    /** Another protocol's. */
    NO,
    /** A part of a method's name; the next bytes decide. */
    PERHAPS,
    /** A method and a space. */
    YES;

    /** The methods of RFC 9110 section 9 and RFC 5789; HTTP/2's preface (PRI) is none. */
    private static final byte[][] METHODS = Stream.of(
                    "GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "CONNECT ", "OPTIONS ", "TRACE ", "PATCH ")
            .map(method -> method.getBytes(StandardCharsets.US_ASCII))
            .toArray(byte[][]::new);

    private static final int METHOD_BYTES_MAX = "CONNECT ".length();

    /**
     * Looks at the first bytes of a connection. Allocates nothing for those that begin with no capital letter, as a
     * TLS record.
     *
     * @param address of the received bytes
     * @param length number of received bytes, at least one
     */
    public static HttpBegin of(long address, int length) {
        byte first = RawMemory.getByte(address);
        if (first < 'A' || first > 'Z') {
            return NO;
        }
        byte[] bytes = new byte[Math.min(length, METHOD_BYTES_MAX)];
        RawMemory.copy(address, bytes, 0, bytes.length);
        return of(bytes);
    }

    /** Looks at the first bytes of a connection. */
    static HttpBegin of(byte[] bytes) {
        for (byte[] method : METHODS) {
            int length = Math.min(bytes.length, method.length);
            if (Arrays.equals(bytes, 0, length, method, 0, length)) {
                return length == method.length ? YES : PERHAPS;
            }
        }
        return NO;
    }
}
