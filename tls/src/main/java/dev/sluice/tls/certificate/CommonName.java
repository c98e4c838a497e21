package dev.sluice.tls.certificate;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** A parser of the common name in an RFC 2253 subject, such as {@code CN=Anna\, PhD,O=Example}. */
public final class CommonName {
    private static final String KEY = "CN=";

    private CommonName() {}

    /** Returns the first common name, unescaped; "" when there is none. */
    public static String of(String subject) {
        int start = 0;
        while (start < subject.length()) {
            int end = endOfAttribute(subject, start);
            if (subject.regionMatches(true, start, KEY, 0, KEY.length())) {
                return unescaped(subject.substring(start + KEY.length(), end));
            }
            start = end + 1;
        }
        return "";
    }

    private static int endOfAttribute(String subject, int start) {
        for (int i = start; i < subject.length(); i++) {
            char c = subject.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == ',' || c == '+') {
                return i;
            }
        }
        return subject.length();
    }

    /**
     * Resolves the escapes of RFC 2253: a backslash before a literal character, or before two hexadecimal digits of a
     * UTF-8 byte.
     */
    private static String unescaped(String value) {
        ByteArrayOutputStream result = new ByteArrayOutputStream(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\' && i + 2 < value.length() && isHex(value, i + 1)) {
                result.write(HexFormat.fromHexDigits(value, i + 1, i + 3));
                i += 2;
            } else {
                boolean escaped = c == '\\' && i + 1 < value.length();
                String one = String.valueOf(escaped ? value.charAt(++i) : c);
                result.writeBytes(one.getBytes(StandardCharsets.UTF_8));
            }
        }
        return result.toString(StandardCharsets.UTF_8);
    }

    private static boolean isHex(String value, int at) {
        return HexFormat.isHexDigit(value.charAt(at)) && HexFormat.isHexDigit(value.charAt(at + 1));
    }
}
