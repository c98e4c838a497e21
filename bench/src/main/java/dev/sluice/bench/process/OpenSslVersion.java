package dev.sluice.bench.process;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The OpenSSL that a program really runs on, out of what it prints about itself. */
public final class OpenSslVersion {
    // nginx: "built with OpenSSL 3.0.20 … (running with OpenSSL 3.0.19 …)", the parenthesis only where they differ.
    private static final Pattern NGINX_RUNNING = Pattern.compile("running with OpenSSL (\\S+)");
    private static final Pattern NGINX_BUILT = Pattern.compile("built with OpenSSL (\\S+)");
    // haproxy -vv: "Running on OpenSSL version : OpenSSL 3.0.19 27 Jan 2026".
    private static final Pattern HAPROXY = Pattern.compile("Running on OpenSSL version : OpenSSL (\\S+)");

    // sluice version: "openssl   OpenSSL 3.5.8 25 Aug 2026 from …".
    private static final Pattern SLUICE = Pattern.compile("openssl +OpenSSL (\\S+)");

    private OpenSslVersion() {}

    /** From {@code sluice version}. */
    public static String ofSluice(String output) {
        return first(output, SLUICE);
    }

    /** From {@code nginx -V}. */
    public static String ofNginx(String output) {
        return first(output, NGINX_RUNNING, NGINX_BUILT);
    }

    /** From {@code haproxy -vv}. */
    public static String ofHaproxy(String output) {
        return first(output, HAPROXY);
    }

    private static String first(String output, Pattern... patterns) {
        for (Pattern pattern : patterns) {
            Matcher matcher = pattern.matcher(output);
            if (matcher.find()) {
                return matcher.group(1);
            }
        }
        return "unknown";
    }
}
