package dev.sluice.doctor.audit;

import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.doctor.probe.ProbeException;
import dev.sluice.doctor.wire.ClientHello;
import dev.sluice.doctor.wire.Group;
import dev.sluice.doctor.wire.ServerAnswer;
import dev.sluice.doctor.wire.Version;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * An audit of a server's groups in its order: with TLS 1.3 from its HelloRetryRequests, including groups that our own
 * library cannot compute; before TLS 1.3 from its key exchange.
 */
public final class GroupAudit {
    private static final String SECTION = "groups";

    private final Audit audit;

    public GroupAudit(Audit audit) {
        this.audit = audit;
    }

    public void run(Set<Version> accepted) {
        if (accepted.contains(Version.TLS_1_3)) {
            List<Group> chosen = enumerate(Version.TLS_1_3);
            order(chosen);
            judge(chosen);
        } else if (accepted.contains(Version.TLS_1_2)) {
            enumerate(Version.TLS_1_2);
        }
    }

    private List<Group> enumerate(Version version) {
        List<Group> chosen = new ArrayList<>();
        List<Integer> left =
                new ArrayList<>(Group.ALL.stream().map(Group::number).toList());
        while (!left.isEmpty() && audit.attempt(() -> askOne(version, left, chosen))) {
            // the next one
        }
        audit.facts()
                .put(SECTION, version.text(), chosen.stream().map(Group::text).toList());
        return chosen;
    }

    private void askOne(Version version, List<Integer> left, List<Group> chosen) throws ProbeException {
        ClientHello hello = ClientHello.of(version, audit.target().serverName()).withGroups(left);
        int group = audit.raw().askForKeyExchange(hello) instanceof ServerAnswer.Chosen answer ? answer.group() : 0;
        if (!left.removeIf(number -> number == group)) {
            left.clear();
            return;
        }
        Group.ALL.stream().filter(each -> each.number() == group).forEach(chosen::add);
    }

    private void order(List<Group> chosen) {
        if (chosen.size() < 2) {
            return;
        }
        audit.attempt(() -> {
            List<Integer> reversed =
                    new ArrayList<>(chosen.stream().map(Group::number).toList());
            Collections.reverse(reversed);
            ServerAnswer answer = audit.raw()
                    .ask(ClientHello.of(Version.TLS_1_3, audit.target().serverName())
                            .withGroups(reversed));
            boolean own = answer instanceof ServerAnswer.Chosen same
                    && same.group() == chosen.getFirst().number();
            audit.facts().put(SECTION, "order", own ? "the server's" : "the client's");
        });
    }

    private void judge(List<Group> chosen) {
        boolean postQuantum = chosen.stream().anyMatch(Group::isPostQuantum);
        audit.facts().put(SECTION, "post-quantum", postQuantum);
        audit.findings()
                .addIf(
                        !postQuantum && !chosen.isEmpty(),
                        FindingKind.NO_PQ_GROUP,
                        "groups: "
                                + String.join(
                                        ", ", chosen.stream().map(Group::text).toList()));
        audit.attempt(this::usualClient);
    }

    /** Checks the group for a client that sends a share for X25519 and also supports the NIST curves. */
    private void usualClient() throws ProbeException {
        List<Integer> usual =
                List.of(Group.X25519.number(), Group.P_256.number(), Group.P_384.number(), Group.P_521.number());
        ClientHello hello = ClientHello.of(Version.TLS_1_3, audit.target().serverName())
                .withGroups(usual)
                .withShare();
        if (audit.raw().ask(hello) instanceof ServerAnswer.Chosen chosen) {
            String name = Group.nameOf(chosen.group());
            audit.facts().put(SECTION, "for a client with an X25519 share", name);
            audit.findings().addIf(chosen.hello().retry(), FindingKind.EXTRA_ROUND_TRIP, "the server wants " + name);
            boolean slow = Group.ALL.stream().anyMatch(each -> each.number() == chosen.group() && each.isSlow());
            audit.findings().addIf(slow, FindingKind.SLOW_GROUP, name);
        }
    }
}
