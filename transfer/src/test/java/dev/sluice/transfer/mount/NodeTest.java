package dev.sluice.transfer.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.transfer.files.FileAttributes;
import org.junit.jupiter.api.Test;

/** Tests of what a node knows of a file. */
final class NodeTest {
    /** The cache may hold blocks of an earlier file that the kernel knew by the same number. */
    @Test
    void regardsTheFirstAttributesAsAChange() {
        Node node = new Node(2, 1, null, new byte[] {'f'});
        FileAttributes emptyAndOld = new FileAttributes();
        assertThat(node.observe(emptyAndOld)).isTrue();
    }
}
