package dev.sluice.cost.figures;

/**
 * A measured figure.
 *
 * @param name its path in a {@link CostProfile}, such as {@code asymmetric/rsa-2048/sign}
 * @param unit of the estimate
 * @param estimate the value
 */
public record Figure(String name, Unit unit, Estimate estimate) {
    /** The units of figures. */
    public enum Unit {
        /** Microseconds of CPU time, or of waiting where the name says latency. */
        MICROSECONDS("us", "µs"),
        /** Nanoseconds of CPU time. */
        NANOSECONDS("ns", "ns"),
        /** Bytes. */
        BYTES("bytes", "bytes");

        private final String code;
        private final String text;

        Unit(String code, String text) {
            this.code = code;
            this.text = text;
        }

        /** Returns the code in files. */
        String code() {
            return code;
        }

        /** Returns the text for display. */
        public String text() {
            return text;
        }

        /**
         * Returns the unit with a code.
         *
         * @throws IllegalArgumentException when there is none
         */
        static Unit of(String code) {
            for (Unit unit : values()) {
                if (unit.code.equals(code)) {
                    return unit;
                }
            }
            throw new IllegalArgumentException("no unit is called " + code + "; use us, ns or bytes");
        }
    }
}
