package dev.sluice.doctor.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A writer of fields in network byte order, and of vectors with their lengths. */
final class ByteWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    ByteWriter u8(int value) {
        out.write(value);
        return this;
    }

    ByteWriter u16(int value) {
        return u8(value >>> 8).u8(value);
    }

    ByteWriter u24(int value) {
        return u8(value >>> 16).u16(value);
    }

    ByteWriter bytes(byte[] value) {
        out.writeBytes(value);
        return this;
    }

    ByteWriter ascii(String value) {
        return bytes(value.getBytes(StandardCharsets.US_ASCII));
    }

    ByteWriter vector8(ByteWriter content) {
        return u8(content.size()).bytes(content.toBytes());
    }

    ByteWriter vector16(ByteWriter content) {
        return u16(content.size()).bytes(content.toBytes());
    }

    int size() {
        return out.size();
    }

    byte[] toBytes() {
        return out.toByteArray();
    }
}
