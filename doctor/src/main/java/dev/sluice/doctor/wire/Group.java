package dev.sluice.doctor.wire;

import java.util.List;

/** The key-exchange groups of the audit (IANA registry), by preference. */
public enum Group {
    /** draft-ietf-tls-ecdhe-mlkem. */
    X25519MLKEM768(0x11EC),
    /** draft-ietf-tls-ecdhe-mlkem. */
    SecP256r1MLKEM768(0x11EB),
    /** draft-ietf-tls-ecdhe-mlkem. */
    SecP384r1MLKEM1024(0x11ED),
    X25519(0x001D),
    P_256(0x0017),
    P_384(0x0018),
    P_521(0x0019),
    X448(0x001E),
    FFDHE2048(0x0100),
    FFDHE3072(0x0101),
    FFDHE4096(0x0102);

    /** All of them. */
    public static final List<Group> ALL = List.of(values());

    private final int number;

    Group(int number) {
        this.number = number;
    }

    /** Returns the number in messages. */
    public int number() {
        return number;
    }

    /** Returns the name for display. */
    public String text() {
        return name().replace('_', '-');
    }

    /** Returns whether the group is post-quantum. */
    public boolean isPostQuantum() {
        return name().contains("MLKEM");
    }

    /** Returns whether the group costs a server several times the time of X25519. */
    public boolean isSlow() {
        return this == P_384 || this == P_521 || this == X448 || name().startsWith("FFDHE");
    }

    /** Returns a group's name by its number, or the number. */
    public static String nameOf(int number) {
        for (Group group : values()) {
            if (group.number == number) {
                return group.text();
            }
        }
        return String.format("0x%04X", number);
    }
}
