package dev.sluice.config.lint;

import dev.sluice.config.model.AddressRange;
import dev.sluice.config.model.AddressRules;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ListenerConfig;
import java.util.ArrayList;
import java.util.List;

/** The warnings about addresses in {@code allow} and {@code deny} of a listener that decide nothing. */
public final class AddressLint {
    private final List<String> findings = new ArrayList<>();

    private AddressLint() {}

    /** Returns a sentence for each: position, cause and remedy. */
    public static List<String> of(GatewayConfig config) {
        AddressLint lint = new AddressLint();
        config.listeners().forEach(lint::look);
        return List.copyOf(lint.findings);
    }

    private void look(ListenerConfig listener) {
        AddressRules rules = listener.acceptPolicy().addresses();
        String where = listener.origin() + ": ";
        repeated(where + "allow ", rules.allow());
        repeated(where + "deny ", rules.deny());
        for (AddressRange allowed : rules.allow()) {
            for (AddressRange denied : rules.deny()) {
                if (denied.covers(allowed)) {
                    findings.add(where + "allow " + allowed + " serves nobody, since deny " + denied
                            + " counts first; remove one of them");
                }
            }
        }
        for (AddressRange denied : rules.deny()) {
            if (!rules.allow().isEmpty() && rules.allow().stream().noneMatch(allowed -> meet(allowed, denied))) {
                findings.add(
                        where + "deny " + denied + " refuses nobody, since allow does not have it either; remove it");
            }
        }
    }

    private void repeated(String where, List<AddressRange> ranges) {
        for (int i = 0; i < ranges.size(); i++) {
            for (int j = 0; j < ranges.size(); j++) {
                AddressRange one = ranges.get(i);
                AddressRange other = ranges.get(j);
                if (i != j && other.covers(one) && (!one.covers(other) || i > j)) {
                    findings.add(where + one + " is part of " + other + " beside it; remove it");
                }
            }
        }
    }

    private static boolean meet(AddressRange one, AddressRange other) {
        return one.covers(other) || other.covers(one);
    }
}
