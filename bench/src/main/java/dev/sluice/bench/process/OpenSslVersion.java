package dev.sluice.bench.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The OpenSSL version that a program runs on, parsed from its output. */
public final class OpenSslVersion {
    // nginx: "built with OpenSSL 3.0.20 … (running with OpenSSL 3.0.19 …)", the parenthesis only where they differ.
    private static final Pattern NGINX_RUNNING = Pattern.compile("running with OpenSSL (\\S+)");
    private static final Pattern NGINX_BUILT = Pattern.compile("built with OpenSSL (\\S+)");
    // haproxy -vv: "Running on OpenSSL version : OpenSSL 3.0.19 27 Jan 2026"; from 3.2 on "SSL library version".
    private static final Pattern HAPROXY =
            Pattern.compile("Running on (?:OpenSSL|SSL library) version : OpenSSL (\\S+)");

    // sluice version: "openssl   OpenSSL 3.5.8 25 Aug 2026 from …".
    private static final Pattern SLUICE = Pattern.compile("openssl +OpenSSL (\\S+)");

    // ldd: "	libcrypto.so.3 => /usr/lib/x86_64-linux-gnu/libcrypto.so.3 (0x00007f…)".
    private static final Pattern LIBCRYPTO = Pattern.compile("libcrypto\\.so\\S* => (\\S+)");
    // In the library's text: "OpenSSL 3.0.19 27 Jan 2026".
    private static final Pattern LIBRARY =
            Pattern.compile("OpenSSL (\\d+\\.\\d+\\.\\d+\\S*) \\d+ [A-Z][a-z]{2} \\d{4}");

    private OpenSslVersion() {}

    /**
     * Returns the version of the libcrypto that the dynamic linker gives a program that does not report it.
     *
     * @param environment environment of the program
     */
    public static String ofLinked(Program program, Map<String, String> environment) throws InterruptedException {
        String executable = program.find().map(Path::toString).orElse(program.name());
        Matcher linked = LIBCRYPTO.matcher(Output.of(List.of("ldd", executable), environment));
        return linked.find() ? ofLibrary(Path.of(linked.group(1))) : "unknown";
    }

    private static String ofLibrary(Path library) {
        try {
            return first(Files.readString(library, StandardCharsets.ISO_8859_1), LIBRARY);
        } catch (IOException e) {
            return "unknown";
        }
    }

    /** Parses the output of {@code sluice version}. */
    public static String ofSluice(String output) {
        return first(output, SLUICE);
    }

    /** Parses the output of {@code nginx -V}. */
    public static String ofNginx(String output) {
        return first(output, NGINX_RUNNING, NGINX_BUILT);
    }

    /** Parses the output of {@code haproxy -vv}. */
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
