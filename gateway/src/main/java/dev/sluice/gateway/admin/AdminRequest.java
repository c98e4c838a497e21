package dev.sluice.gateway.admin;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request of HTTP/1.1 that has arrived as a whole.
 *
 * @param method such as GET
 * @param path without the query, as it was sent
 * @param query behind the path and the question mark, as it was sent; "" for none
 * @param headers by their names, whose case does not matter; of those that stand twice the first
 */
record AdminRequest(String method, String path, String query, Map<String, String> headers) {
    AdminRequest {
        Map<String, String> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        byName.putAll(headers);
        headers = byName;
    }

    /** Returns a header; null when there is none. */
    @Nullable
    String header(String name) {
        return headers.get(name);
    }

    boolean isHead() {
        return method.equals("HEAD");
    }
}
