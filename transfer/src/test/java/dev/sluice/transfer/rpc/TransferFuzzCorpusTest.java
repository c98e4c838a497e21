package dev.sluice.transfer.rpc;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.FuzzCorpusTests;
import dev.sluice.testkit.FuzzTarget;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.transfer.export.FileRequestFuzzer;
import dev.sluice.transfer.meet.MeetMessageFuzzer;
import dev.sluice.transfer.mount.MountAnswerFuzzer;
import dev.sluice.transfer.move.ManifestFuzzer;
import dev.sluice.transfer.protocol.TransferFrameFuzzer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A run of the transfers' fuzzers over their committed corpus and its mutations: see {@link FuzzTarget}. */
final class TransferFuzzCorpusTest implements FuzzCorpusTests {
    @RegisterExtension
    final NativeBalance<Map<String, Ledger.Balance>> balance =
            NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @Override
    public List<FuzzTarget> targets() {
        return List.of(
                FuzzTarget.of("transfer_frames", TransferFrameFuzzer::fuzzerTestOneInput)
                        .withMutations(1_500),
                FuzzTarget.of("manifest", ManifestFuzzer::fuzzerTestOneInput).withMutations(150),
                FuzzTarget.of("file_requests", FileRequestFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("mount_answers", MountAnswerFuzzer::fuzzerTestOneInput)
                        .withMutations(1_000),
                FuzzTarget.of("rpc_frames", RpcFrameFuzzer::fuzzerTestOneInput),
                FuzzTarget.of("meet", MeetMessageFuzzer::fuzzerTestOneInput));
    }
}
