package dev.sluice.transfer.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.transfer.protocol.FrameInput;
import dev.sluice.transfer.protocol.FrameOutput;
import dev.sluice.transfer.protocol.FrameType;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the end of a stream by a failure. */
class FrameOutputTest {
    private PipeWire ours;
    private PipeWire theirs;

    @BeforeEach
    void open() throws IOException {
        PipeWire[] ends = PipeWire.pair();
        ours = ends[0];
        theirs = ends[1];
    }

    @AfterEach
    void close() {
        ours.close();
        theirs.close();
    }

    @Test
    void aFailureBetweenFramesIsTold() throws IOException {
        FrameOutput out = new FrameOutput(ours);
        out.failed(TransferFailure.SOURCE_CHANGED);
        out.fail(TransferFailure.INTERNAL, "injected");

        FrameInput in = new FrameInput(theirs);
        assertThat(in.nextOrEnd()).isEqualTo(FrameType.FAILED);
        assertThat(catchThrowableOfType(TransferException.class, in::nextOrEnd).failure())
                .isEqualTo(TransferFailure.INTERNAL);
    }

    /** Otherwise the type of ERROR would be the status of DATA, or its flags, which mean success. */
    @Test
    void aFailureWithinDataIsNotTakenForItsTrailer() throws IOException {
        FrameOutput out = new FrameOutput(ours);
        out.data(0, false);
        out.flush();
        out.fail(TransferFailure.INTERNAL, "injected");

        FrameInput in = new FrameInput(theirs);
        assertThatThrownBy(() -> {
                    FrameType _ = in.nextOrEnd();
                    in.trailer(FrameOutput.trailerBytes(false));
                })
                .isInstanceOf(IOException.class);
    }
}
