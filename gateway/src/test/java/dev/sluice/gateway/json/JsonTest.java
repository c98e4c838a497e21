package dev.sluice.gateway.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
}
