package dev.sluice.config.log;

/** The kinds of programs that syslog distinguishes, as far as a gateway may be one (RFC 5424, section 6.2.1). */
public enum SyslogFacility {
    /** A user's program. */
    USER(1),
    /** A system daemon. */
    DAEMON(3),
    /** Of the site's own choice, like those that follow. */
    LOCAL0(16),
    LOCAL1(17),
    LOCAL2(18),
    LOCAL3(19),
    LOCAL4(20),
    LOCAL5(21),
    LOCAL6(22),
    LOCAL7(23);

    private final int code;

    SyslogFacility(int code) {
        this.code = code;
    }

    /** Returns the number in messages. */
    public int code() {
        return code;
    }
}
