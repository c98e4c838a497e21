package dev.sluice.gateway.proxyprotocol;

/** Finds the common name in a subject written as RFC 2253 has it: {@code CN=Anna\, PhD,O=Example}. */
final class CommonName {
    private static final String KEY = "CN=";

    private CommonName() {}

    /** The first common name, its escapes resolved; "" when there is none. */
    static String of(String subject) {
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

    private static String unescaped(String value) {
        StringBuilder result = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            result.append(c == '\\' && i + 1 < value.length() ? value.charAt(++i) : c);
        }
        return result.toString();
    }
}
