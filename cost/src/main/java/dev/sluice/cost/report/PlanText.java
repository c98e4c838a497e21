package dev.sluice.cost.report;

import dev.sluice.cost.figures.Numbers;
import dev.sluice.cost.figures.TextTable;
import dev.sluice.cost.plan.Lever;
import dev.sluice.cost.plan.Load;
import dev.sluice.cost.plan.Plan;
import dev.sluice.cost.plan.PlanModel;
import dev.sluice.tls.context.ProtocolVersion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** A plan, and the effect of each configuration change, for people and as JSON. */
public final class PlanText {
    private final PlanModel model;
    private final Plan plan;

    /** Creates the plan of a load. */
    public PlanText(PlanModel model, Load load) {
        this.model = model;
        this.plan = model.plan(load);
    }

    /**
     * Returns the text for a terminal.
     *
     * @param measured the cores in actual use, if known
     */
    public String text(OptionalDouble measured) {
        StringBuilder out = new StringBuilder();
        out.append("Load: ")
                .append(describe(plan.load()))
                .append("\n\n")
                .append(work())
                .append('\n');
        out.append(held()).append('\n');
        out.append("  dominating: ").append(plan.dominating().text()).append('\n');
        if (measured.isPresent()) {
            out.append("  measured:   ")
                    .append(Numbers.of(measured.getAsDouble()))
                    .append(" cores; the prediction is ")
                    .append(Numbers.change(measured.getAsDouble(), plan.totalCores()))
                    .append(" of that\n");
        }
        return out.append("\nOne lever at a time, all else as it is:\n\n")
                .append(levers())
                .toString();
    }

    private String work() {
        TextTable table = new TextTable("CPU", "cores", "");
        for (Plan.Work work : Plan.Work.values()) {
            table.row(work.text(), Numbers.of(plan.of(work)), share(plan.of(work), plan.totalCores()));
        }
        table.row("all", Numbers.of(plan.totalCores()), "");
        return table.text();
    }

    private String held() {
        TextTable table = new TextTable("memory", "", "");
        for (Plan.Held held : Plan.Held.values()) {
            table.row(held.text(), Numbers.bytes(plan.of(held)), share(plan.of(held), plan.totalBytes()));
        }
        table.row("all", Numbers.bytes(plan.totalBytes()), "");
        return table.text();
    }

    private static String share(double part, double all) {
        return all == 0 ? "" : Numbers.percent(part / all);
    }

    private String levers() {
        TextTable table = new TextTable("", "cores", "", "memory", "");
        for (Lever lever : Lever.values()) {
            Optional<Plan> pulled = lever.pulled(model, plan.load());
            if (pulled.isEmpty()) {
                table.row(lever.text(), "as it is", "", "", "");
            } else {
                Plan other = pulled.get();
                table.row(
                        lever.text(),
                        Numbers.of(other.totalCores()),
                        Numbers.change(plan.totalCores(), other.totalCores()),
                        Numbers.bytes(other.totalBytes()),
                        Numbers.change(plan.totalBytes(), other.totalBytes()));
            }
        }
        return table.text();
    }

    /** Returns the plan as JSON. */
    public Map<String, Object> json(OptionalDouble measured) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("load", load());
        all.putAll(plan.json());
        measured.ifPresent(cores -> all.put("measured-cores", cores));
        List<Object> levers = new ArrayList<>();
        for (Lever lever : Lever.values()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("lever", lever.key());
            Optional<Plan> pulled = lever.pulled(model, plan.load());
            one.put("applies", pulled.isPresent());
            pulled.ifPresent(other -> one.putAll(other.json()));
            levers.add(one);
        }
        all.put("levers", levers);
        return all;
    }

    private Map<String, Object> load() {
        Load load = plan.load();
        Load.Settings settings = load.settings();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("connections", load.connections());
        all.put("new-per-second", load.newPerSecond());
        all.put("resumption", load.resumption());
        all.put("down-bytes-per-second", load.downPerSecond());
        all.put("up-bytes-per-second", load.upPerSecond());
        all.put("record-bytes", load.recordBytes());
        all.put("certificate", settings.key().path());
        all.put("tls", version(settings));
        all.put("tickets", settings.tickets());
        all.put("post-quantum", settings.postQuantum());
        all.put("cipher", settings.cipher());
        all.put("engine", settings.engine().path());
        return all;
    }

    private static String version(Load.Settings settings) {
        return settings.version() == ProtocolVersion.TLS_1_2 ? "1.2" : "1.3";
    }

    private static String describe(Load load) {
        Load.Settings settings = load.settings();
        return String.format(
                Locale.ROOT,
                "%,d connections, %s new per second of which %s resume, %s/s down and %s/s up in records of %s;"
                        + " TLS %s, %s, %s%s, %s engine",
                load.connections(),
                Numbers.of(load.newPerSecond()),
                Numbers.percent(load.resumption()),
                Numbers.bytes(load.downPerSecond()),
                Numbers.bytes(load.upPerSecond()),
                Numbers.bytes(load.recordBytes()),
                version(settings),
                settings.key().text(),
                settings.cipher(),
                settings.postQuantum() ? ", X25519MLKEM768" : "",
                settings.engine().path());
    }
}
