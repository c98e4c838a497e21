package dev.sluice.doctor.audit;

import dev.sluice.doctor.probe.Target;
import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * The match of a certificate's names with a host: its subject alternative names as clients read them (RFC 9525). The
 * common name is ignored.
 */
public final class NameMatch {
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private NameMatch() {}

    /** Returns the DNS names and IP addresses; empty if there are none or they cannot be read. */
    static List<String> namesOf(X509Certificate certificate) {
        List<String> names = new ArrayList<>();
        try {
            Collection<List<?>> all = certificate.getSubjectAlternativeNames();
            if (all != null) {
                for (List<?> each : all) {
                    if (each.get(0) instanceof Integer type
                            && (type == DNS_NAME || type == IP_ADDRESS)
                            && each.get(1) instanceof String name) {
                        names.add(name);
                    }
                }
            }
        } catch (CertificateParsingException e) {
            // Treated as absent: clients will not find their name here either.
        }
        return names;
    }

    /** Returns whether one of the names matches a host. */
    public static boolean matches(List<String> names, String host) {
        return Target.isAddress(host)
                ? names.stream().anyMatch(name -> Target.isAddress(name) && sameAddress(name, host))
                : names.stream().anyMatch(name -> matchesName(name, host));
    }

    private static boolean sameAddress(String a, String b) {
        try {
            return InetAddress.ofLiteral(a).equals(InetAddress.ofLiteral(b));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean matchesName(String pattern, String host) {
        String name = pattern.toLowerCase(Locale.ROOT);
        String wanted = host.toLowerCase(Locale.ROOT);
        if (wanted.endsWith(".")) {
            wanted = wanted.substring(0, wanted.length() - 1);
        }
        if (!name.startsWith("*.")) {
            return name.equals(wanted);
        }
        int dot = wanted.indexOf('.');
        return dot > 0 && wanted.substring(dot).equals(name.substring(1));
    }
}
