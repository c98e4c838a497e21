package dev.sluice.config.read;

import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.config.yaml.Value;

/** The reader of server names and wildcards. */
final class ServerNameReader {
    private ServerNameReader() {}

    /** Reads a pattern; {@link ServerNamePattern#ANY} when it is none, which is reported. */
    static ServerNamePattern read(Value value) {
        String text = value.text();
        if (text == null) {
            return ServerNamePattern.ANY;
        }
        ServerNamePattern pattern = new ServerNamePattern(text);
        if (pattern.isUsable()) {
            return pattern;
        }
        value.problem("sni is \"" + text + "\"; write a host name, or *.example.com for all names one level below");
        return ServerNamePattern.ANY;
    }
}
