package dev.sluice.tls.bogo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The flags of one test: those of its first connection, and those of the connections that resume. */
final class ShimFlags {
    /** Flags without a parameter. */
    private static final Set<String> SWITCHES = Set.of(
            "-server",
            "-ipv6",
            "-async",
            "-no-tls13",
            "-no-tls12",
            "-no-ticket",
            "-decline-alpn",
            "-shim-writes-first",
            "-shim-shuts-down",
            "-check-close-notify",
            "-expect-session-miss",
            "-expect-no-session",
            "-expect-no-server-name",
            "-no-op-extra-handshake",
            "-write-different-record-sizes",
            "-verify-peer",
            // Accepted and not looked at: they say how BoringSSL's shim calls its library, or expect what the engines
            // do not report. What goes over the wire is judged by the runner all the same.
            "-no-tls11",
            "-no-tls1",
            "-partial-write",
            "-implicit-handshake",
            "-use-ticket-callback",
            "-server-preference",
            "-permute-extensions",
            "-expect-extended-master-secret",
            "-expect-secure-renegotiation",
            "-forbid-renegotiation-after-handshake",
            "-handshake-never-done",
            "-read-with-unfinished-write",
            "-expect-hrr",
            "-expect-no-hrr",
            "-reverify-on-resume");

    /** Flags with a parameter. */
    private static final Set<String> VALUES = Set.of(
            "-port",
            "-shim-id",
            "-resume-count",
            "-cert-file",
            "-key-file",
            "-trust-cert",
            "-min-version",
            "-max-version",
            "-expect-version",
            "-curves",
            "-expect-curve-id",
            "-cipher",
            "-select-alpn",
            "-advertise-alpn",
            "-expect-alpn",
            "-expect-advertised-alpn",
            "-host-name",
            "-expect-server-name",
            "-read-size");

    private static final String ON_SHIM = "-on-shim";
    private static final String ON_HANDSHAKER = "-on-handshaker";
    private static final String ON_INITIAL = "-on-initial";
    private static final String ON_RESUME = "-on-resume";
    private static final String ON_RETRY = "-on-retry";

    private final Map<String, List<String>> initial = new HashMap<>();
    private final Map<String, List<String>> resume = new HashMap<>();

    /**
     * Reads the arguments that the runner starts its shim with.
     *
     * @throws UnsupportedFlagException for a flag that the engines have nothing for
     */
    ShimFlags(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String name = withoutPrefix(arguments.get(i), ON_SHIM);
            boolean others = name.startsWith(ON_HANDSHAKER) || name.startsWith(ON_RETRY);
            boolean first = name.startsWith(ON_INITIAL);
            boolean later = name.startsWith(ON_RESUME);
            name = withoutPrefix(withoutPrefix(name, ON_INITIAL), ON_RESUME);
            String value = "";
            if (VALUES.contains(name)) {
                i++;
                value = arguments.get(i);
            } else if (others || !SWITCHES.contains(name)) {
                throw new UnsupportedFlagException(name);
            }
            if (!later) {
                initial.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
            }
            if (!first) {
                resume.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
            }
        }
    }

    private static String withoutPrefix(String name, String prefix) {
        return name.startsWith(prefix) ? name.substring(prefix.length()) : name;
    }

    /** Returns the flags of a connection, the first one or one that resumes. */
    Settings settings(boolean resumes) {
        return new Settings(resumes ? resume : initial);
    }

    /** The flags of one connection. */
    record Settings(Map<String, List<String>> flags) {
        /** Returns true if a flag was given. */
        boolean has(String name) {
            return flags.containsKey(name);
        }

        /** Returns a flag's last parameter; "" if it was not given. */
        String value(String name) {
            return flags.getOrDefault(name, List.of("")).getLast();
        }

        /** Returns a flag's last parameter as a number; the default if it was not given. */
        long number(String name, long absent) {
            return has(name) ? Long.parseLong(value(name)) : absent;
        }

        /** Returns the parameters of a flag that was given several times, as numbers. */
        List<Integer> numbers(String name) {
            return flags.getOrDefault(name, List.of()).stream()
                    .map(Integer::valueOf)
                    .toList();
        }
    }
}
