package dev.sluice.gateway.admin;

import dev.sluice.config.json.Json;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/**
 * The samples of each second of the last {@value #FINE_POINTS} seconds, and means of ten seconds for the last hour. Its
 * memory, some {@code (600 + 360) * (4 * 12 + 8)} bytes, is allocated once and never grows.
 *
 * <p>Written by one thread; read by others under its lock, which is held for a copy.
 */
final class History {
    /** Points of one second: ten minutes. */
    static final int FINE_POINTS = 600;
    /** Points of ten seconds: an hour. */
    static final int COARSE_POINTS = 360;
    /** Fine points behind a coarse one. */
    static final int FINE_PER_COARSE = 10;

    private final Track fine = new Track(FINE_POINTS);
    private final Track coarse = new Track(COARSE_POINTS);
    private long points;

    /** Values over time, in a ring. */
    private static final class Track {
        private final long[] times;
        private final Map<Series, float[]> values = new EnumMap<>(Series.class);
        private long written;

        Track(int points) {
            times = new long[points];
            for (Series series : Series.values()) {
                values.put(series, new float[points]);
            }
        }

        void begin(Instant time) {
            int slot = (int) (written++ % times.length);
            times[slot] = time.toEpochMilli();
            values.values().forEach(ring -> ring[slot] = Float.NaN);
        }

        void set(Series series, double value) {
            ring(series)[(int) ((written - 1) % times.length)] = (float) value;
        }

        float[] last(Series series, int count) {
            int kept = (int) Math.min(written, times.length);
            float[] last = new float[Math.min(count, kept)];
            for (int i = 0; i < last.length; i++) {
                last[i] = ring(series)[(int) ((written - last.length + i) % times.length)];
            }
            return last;
        }

        long[] lastTimes(int count) {
            long[] last = new long[(int) Math.min(count, Math.min(written, times.length))];
            for (int i = 0; i < last.length; i++) {
                last[i] = times[(int) ((written - last.length + i) % times.length)];
            }
            return last;
        }

        private float[] ring(Series series) {
            float[] ring = values.get(series);
            if (ring == null) {
                throw new IllegalStateException("no track of " + series);
            }
            return ring;
        }
    }

    /** Starts a point without values. */
    synchronized void begin(Instant time) {
        fine.begin(time);
        points++;
    }

    /** Sets one of the point's values. */
    synchronized void set(Series series, double value) {
        fine.set(series, value);
    }

    /**
     * Completes the point; each tenth one completes a coarse point, too.
     *
     * @return true if it did
     */
    synchronized boolean complete() {
        if (points % FINE_PER_COARSE != 0) {
            return false;
        }
        long[] times = fine.lastTimes(FINE_PER_COARSE);
        coarse.begin(Instant.ofEpochMilli(times[times.length - 1]));
        for (Series series : Series.values()) {
            coarse.set(series, mean(fine.last(series, FINE_PER_COARSE)));
        }
        return true;
    }

    /** Returns the mean of the known values; NaN if there are none. */
    private static double mean(float[] values) {
        double sum = 0;
        int known = 0;
        for (float value : values) {
            if (!Float.isNaN(value)) {
                sum += value;
                known++;
            }
        }
        return known == 0 ? Double.NaN : sum / known;
    }

    /** Returns the mean of the known ones among a series' last samples; NaN if there are none. */
    synchronized double recentMean(Series series, int samples) {
        return mean(fine.last(series, samples));
    }

    /** Returns a series' last value; NaN if there is none. */
    synchronized double last(Series series) {
        float[] last = fine.last(series, 1);
        return last.length == 0 ? Double.NaN : last[0];
    }

    /**
     * Writes all points as {@code {"fine": {"time": […], "full": […], …}, "coarse": {…}}}, times in milliseconds since
     * 1970.
     */
    synchronized void writeTo(JsonGenerator json) {
        json.writeStartObject();
        write(json.writeName("fine"), fine, FINE_POINTS);
        write(json.writeName("coarse"), coarse, COARSE_POINTS);
        json.writeEndObject();
    }

    /** Writes the last coarse point alone, as {@code {"time": […], "full": […], …}}. */
    synchronized void writeLastCoarseTo(JsonGenerator json) {
        write(json, coarse, 1);
    }

    private static void write(JsonGenerator json, Track track, int count) {
        json.writeStartObject();
        json.writeArrayPropertyStart("time");
        Arrays.stream(track.lastTimes(count)).forEach(json::writeNumber);
        json.writeEndArray();
        for (Series series : Series.values()) {
            json.writeArrayPropertyStart(series.word());
            for (float value : track.last(series, count)) {
                Json.number(json, value);
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }
}
