package dev.sluice.bench.buffers.work;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tasks of the suite, with the arguments that follow their name in a request. */
public enum TaskKind {
    /** KIND BYTES LIVE USE: buffers that are replaced by others. */
    ALLOCATE {
        @Override
        MeasuredTask open(String[] words) {
            return LiveSetTask.of(
                    BufferKind.valueOf(words[1]),
                    Integer.parseInt(words[2]),
                    Integer.parseInt(words[3]),
                    BufferUse.valueOf(words[4]));
        }
    },
    /** KIND BYTES: buffers that another thread frees. */
    HAND_OFF {
        @Override
        MeasuredTask open(String[] words) {
            return HandOffTask.of(BufferKind.valueOf(words[1]), Integer.parseInt(words[2]));
        }
    },
    /** KIND CHANGE DIRECTORY: a file that is copied through a buffer. */
    COPY {
        @Override
        MeasuredTask open(String[] words) throws IOException {
            return new FileCopyTask(
                    FileCopyTask.buffer(BufferKind.valueOf(words[1])), FileChange.valueOf(words[2]), Path.of(words[3]));
        }
    },
    /** BIG or NATIVE: the sum of the longs in a direct buffer of that order. */
    SUM {
        @Override
        MeasuredTask open(String[] words) {
            return new LongSumTask("NATIVE".equals(words[1]) ? ByteOrder.nativeOrder() : ByteOrder.BIG_ENDIAN);
        }
    },
    /** KIND: messages between two threads, with a buffer for each. */
    ECHO {
        @Override
        MeasuredTask open(String[] words) throws IOException {
            boolean direct = BufferKind.valueOf(words[1]) == BufferKind.DIRECT;
            return new EchoTask(direct ? ByteBuffer::allocateDirect : ByteBuffer::allocate);
        }
    },
    /** KIND: allocations beyond the JVM's limit. */
    EXHAUST {
        @Override
        MeasuredTask open(String[] words) {
            return new ExhaustionTask(BufferKind.valueOf(words[1]));
        }
    },
    /** KIND: foreign calls. */
    CALL {
        @Override
        MeasuredTask open(String[] words) {
            return NativeCallKind.valueOf(words[1]).open();
        }
    };

    /** Returns the request of a worker, from the arguments that the constant's description lists. */
    public String request(Object... arguments) {
        return Stream.concat(Stream.of(this), Stream.of(arguments))
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
    }

    /** Returns a task, ready to be run. */
    abstract MeasuredTask open(String[] words) throws IOException;
}
