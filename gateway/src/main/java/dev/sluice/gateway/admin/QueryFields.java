package dev.sluice.gateway.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of a request's query, such as {@code backend=web&server=10.0.0.1%3A8080}. */
final class QueryFields {
    private final Map<String, String> fields = new HashMap<>();

    /**
     * Decodes a query.
     *
     * @throws BadRequestException when it is no list of fields, or has one twice
     */
    QueryFields(String query) throws BadRequestException {
        for (String field : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = field.indexOf('=');
            String name = decoded(equals < 0 ? field : field.substring(0, equals));
            if (fields.putIfAbsent(name, equals < 0 ? "" : decoded(field.substring(equals + 1))) != null) {
                throw new BadRequestException(400, "the field " + name + " stands twice in the query");
            }
        }
    }

    private static String decoded(String text) throws BadRequestException {
        try {
            return URLDecoder.decode(text, UTF_8);
        } catch (IllegalArgumentException bad) {
            throw new BadRequestException(400, "the field \"" + text + "\" of the query is not percent-encoded");
        }
    }

    /** Returns a field; null when it is absent. */
    @Nullable
    String get(String name) {
        return fields.get(name);
    }
}
