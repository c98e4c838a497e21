package dev.sluice.cost.figures;

/**
 * Something that was measured.
 *
 * @param name its path in a {@link CostProfile}, such as {@code asymmetric/rsa-2048/sign}
 * @param unit of the estimate
 * @param estimate how much
 */
public record Figure(String name, Unit unit, Estimate estimate) {
    /** What figures are in. */
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

        /** As files have it. */
        public String code() {
            return code;
        }

        /** As people read it. */
        public String text() {
            return text;
        }

        /**
         * The unit that a file names.
         *
         * @throws IllegalArgumentException when there is none
         */
        public static Unit of(String code) {
            for (Unit unit : values()) {
                if (unit.code.equals(code)) {
                    return unit;
                }
            }
            throw new IllegalArgumentException("no unit is called " + code + "; there are us, ns and bytes");
        }
    }
}
