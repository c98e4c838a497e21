package dev.sluice.config.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.yaml.BoundedParser;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void escapesTextAndWritesNullForNumbersThatAreNotFinite() {
        String text = Json.of(json -> {
            json.writeStartArray();
            json.writeString("a\"b\\c\n\u0007é");
            Json.number(json, Double.NaN);
            Json.number(json, Float.POSITIVE_INFINITY);
            Json.number(json, 1e300);
            json.writeEndArray();
        });

        assertThat(text).isEqualTo("[\"a\\\"b\\\\c\\n\\u0007é\",null,null,1.0E300]");
    }

    @Test
    void writesIntegersWithoutFractionAndFloatsWithTheirDigits() {
        String text = Json.of(json -> {
            json.writeStartArray();
            Json.number(json, 7.0);
            Json.number(json, 0.1f);
            Json.number(json, 3f);
            json.writeEndArray();
        });

        assertThat(text).isEqualTo("[7,0.1,3]");
    }

    @Test
    void writesNullForMissingText() {
        assertThat(Json.of(json -> {
                    json.writeStartObject();
                    Json.text(json, "alarm", null);
                    json.writeEndObject();
                }))
                .isEqualTo("{\"alarm\":null}");
    }

    @Test
    void documentHasOnOneLineWhatFits() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("figure", Map.of("median", 1.23456789));
        members.put("list", List.of("a".repeat(60), "b".repeat(60)));
        members.put("empty", List.of());

        assertThat(Json.document(members))
                .isEqualTo("{\n  \"figure\": {\"median\": 1.23457},\n  \"list\": [\n    \"" + "a".repeat(60)
                        + "\",\n    \"" + "b".repeat(60) + "\"\n  ],\n  \"empty\": []\n}\n");
    }

    @Test
    void documentIsStandardJson() {
        assertThat(Json.document(Map.of("a\n\"", List.of(1, 0.5, Double.NaN, true, "ü"))))
                .isEqualTo("{\"a\\n\\\"\": [1, 0.5, null, true, \"ü\"]}\n");
    }

    /** YAML has aliases, by which a list may be an element of itself. */
    @ParameterizedTest
    @ValueSource(strings = {"&a [*a]", "{a: &a [1], b: *a}"})
    void refusesAliases(String text) {
        assertThatThrownBy(() -> JsonReader.read(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesDeepNestingBeforeTheStackOverflows() {
        int levels = BoundedParser.LEVELS_MAX;

        assertThat(JsonReader.read("[".repeat(levels) + "]".repeat(levels))).isInstanceOf(List.class);
        assertThatThrownBy(() -> JsonReader.read("[".repeat(5_000) + "]".repeat(5_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than 100 levels of nesting");
    }
}
