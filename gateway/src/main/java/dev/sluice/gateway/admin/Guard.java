package dev.sluice.gateway.admin;

import dev.sluice.config.model.AdminHttpConfig;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The access control of the endpoint. It rejects web pages whose name was made to resolve to this machine (DNS
 * rebinding) without token and TLS, pages of other origins always, and clients without the token where there is one.
 */
final class Guard {
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final Pattern PORT = Pattern.compile(":[0-9]*$");

    /** The reason for not answering a request. */
    record Refusal(int status, String message) {}

    private final boolean tls;
    private final @Nullable TokenFile token;

    Guard(AdminHttpConfig config) {
        this.tls = config.tls() != null;
        this.token = config.tokenFile() == null ? null : new TokenFile(config.tokenFile());
    }

    /**
     * Looks at where a request comes from.
     *
     * @param page whether it is for the page itself, which other sites may link to
     * @return null: it may go on
     */
    @Nullable
    Refusal ofOrigin(AdminRequest request, boolean page) {
        String host = request.header("Host");
        if (host == null) {
            return new Refusal(400, "the request has no Host header");
        }
        if (!tls && token == null && !isNumberOrLocal(host)) {
            return new Refusal(
                    403,
                    "the Host header is \"" + host
                            + "\"; without token and TLS this endpoint answers to localhost and to"
                            + " addresses only, since any web site can have a name lead here");
        }
        String origin = request.header("Origin");
        if (origin != null && !origin.equalsIgnoreCase((tls ? "https://" : "http://") + host)) {
            return new Refusal(403, "a page of \"" + origin + "\" may not ask this endpoint");
        }
        String site = request.header("Sec-Fetch-Site");
        if (!page && site != null && !site.equals("same-origin") && !site.equals("none")) {
            return new Refusal(403, "a page of another site may not ask this endpoint");
        }
        return null;
    }

    /** A name that DNS tells can lead anywhere, a number cannot. */
    private static boolean isNumberOrLocal(String host) {
        String name = host.startsWith("[") ? host : PORT.matcher(host).replaceFirst("");
        return name.startsWith("[")
                || name.equalsIgnoreCase("localhost")
                || IPV4.matcher(name).matches();
    }

    /**
     * Looks for the token.
     *
     * @return null: it may go on
     */
    @Nullable
    Refusal ofToken(AdminRequest request) {
        if (token == null) {
            return null;
        }
        try {
            return token.isShownBy(request.header("Authorization"))
                    ? null
                    : new Refusal(
                            401, "this needs the header Authorization: Bearer, with the token of admin.token-file");
        } catch (IOException e) {
            return new Refusal(
                    503,
                    "the token cannot be read, so nobody is let in ("
                            + e.getClass().getSimpleName() + ")");
        }
    }
}
