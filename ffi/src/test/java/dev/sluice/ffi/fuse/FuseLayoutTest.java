package dev.sluice.ffi.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.CProbe;
import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A comparison of every offset and constant of this package with the header of the test machine. */
final class FuseLayoutTest {
    private static final String HEADER = "linux/fuse.h";

    @Test
    void constantsMatchTheHeader() throws IllegalAccessException {
        Map<String, Long> ours = new LinkedHashMap<>();
        for (Field field : FuseConstants.class.getFields()) {
            ours.put("(int) " + field.getName(), (long) field.getInt(null));
        }
        assertThat(ours).hasSizeGreaterThan(50);
        assertMatches(ours);
    }

    @Test
    void requestsMatchTheHeader() {
        Map<String, Long> ours = new LinkedHashMap<>();
        ours.put("offsetof(struct fuse_in_header, len)", (long) FuseRequests.HEADER_LEN_OFFSET);
        ours.put("offsetof(struct fuse_in_header, opcode)", (long) FuseRequests.HEADER_OPCODE_OFFSET);
        ours.put("offsetof(struct fuse_in_header, unique)", (long) FuseRequests.HEADER_UNIQUE_OFFSET);
        ours.put("offsetof(struct fuse_in_header, nodeid)", (long) FuseRequests.HEADER_NODEID_OFFSET);
        ours.put("offsetof(struct fuse_in_header, uid)", (long) FuseRequests.HEADER_UID_OFFSET);
        ours.put("offsetof(struct fuse_in_header, gid)", (long) FuseRequests.HEADER_GID_OFFSET);
        ours.put("offsetof(struct fuse_in_header, pid)", (long) FuseRequests.HEADER_PID_OFFSET);
        ours.put("sizeof(struct fuse_in_header)", (long) FuseRequests.HEADER_BYTES);
        ours.put("offsetof(struct fuse_init_in, minor)", (long) FuseRequests.INIT_MINOR_OFFSET);
        ours.put("offsetof(struct fuse_init_in, max_readahead)", (long) FuseRequests.INIT_MAX_READAHEAD_OFFSET);
        ours.put("offsetof(struct fuse_init_in, flags)", (long) FuseRequests.INIT_FLAGS_OFFSET);
        ours.put("sizeof(struct fuse_init_in)", (long) FuseRequests.INIT_BYTES);
        ours.put("offsetof(struct fuse_forget_in, nlookup)", (long) FuseRequests.FORGET_NLOOKUP_OFFSET);
        ours.put("sizeof(struct fuse_forget_in)", (long) FuseRequests.FORGET_BYTES);
        ours.put("offsetof(struct fuse_batch_forget_in, count)", (long) FuseRequests.BATCH_COUNT_OFFSET);
        ours.put("sizeof(struct fuse_batch_forget_in)", (long) FuseRequests.BATCH_BYTES);
        ours.put("offsetof(struct fuse_forget_one, nodeid)", (long) FuseRequests.BATCH_ONE_NODEID_OFFSET);
        ours.put("offsetof(struct fuse_forget_one, nlookup)", (long) FuseRequests.BATCH_ONE_NLOOKUP_OFFSET);
        ours.put("sizeof(struct fuse_forget_one)", (long) FuseRequests.BATCH_ONE_BYTES);
        ours.put("offsetof(struct fuse_getattr_in, getattr_flags)", (long) FuseRequests.GETATTR_GETATTR_FLAGS_OFFSET);
        ours.put("offsetof(struct fuse_getattr_in, fh)", (long) FuseRequests.GETATTR_FH_OFFSET);
        ours.put("sizeof(struct fuse_getattr_in)", (long) FuseRequests.GETATTR_BYTES);
        ours.put("offsetof(struct fuse_mkdir_in, mode)", (long) FuseRequests.MKDIR_MODE_OFFSET);
        ours.put("sizeof(struct fuse_mkdir_in)", (long) FuseRequests.MKDIR_BYTES);
        ours.put("offsetof(struct fuse_rename_in, newdir)", (long) FuseRequests.RENAME_NEWDIR_OFFSET);
        ours.put("sizeof(struct fuse_rename_in)", (long) FuseRequests.RENAME_BYTES);
        ours.put("offsetof(struct fuse_rename2_in, newdir)", (long) FuseRequests.RENAME2_NEWDIR_OFFSET);
        ours.put("offsetof(struct fuse_rename2_in, flags)", (long) FuseRequests.RENAME2_FLAGS_OFFSET);
        ours.put("sizeof(struct fuse_rename2_in)", (long) FuseRequests.RENAME2_BYTES);
        ours.put("offsetof(struct fuse_setattr_in, valid)", (long) FuseRequests.SETATTR_VALID_OFFSET);
        ours.put("offsetof(struct fuse_setattr_in, fh)", (long) FuseRequests.SETATTR_FH_OFFSET);
        ours.put("offsetof(struct fuse_setattr_in, size)", (long) FuseRequests.SETATTR_SIZE_OFFSET);
        ours.put("offsetof(struct fuse_setattr_in, atime)", (long) FuseRequests.SETATTR_ATIME_OFFSET);
        ours.put("offsetof(struct fuse_setattr_in, mtime)", (long) FuseRequests.SETATTR_MTIME_OFFSET);
        ours.put("offsetof(struct fuse_setattr_in, atimensec)", (long) FuseRequests.SETATTR_ATIMENSEC_OFFSET);
        ours.put("offsetof(struct fuse_setattr_in, mtimensec)", (long) FuseRequests.SETATTR_MTIMENSEC_OFFSET);
        ours.put("offsetof(struct fuse_setattr_in, mode)", (long) FuseRequests.SETATTR_MODE_OFFSET);
        ours.put("offsetof(struct fuse_setattr_in, uid)", (long) FuseRequests.SETATTR_UID_OFFSET);
        ours.put("offsetof(struct fuse_setattr_in, gid)", (long) FuseRequests.SETATTR_GID_OFFSET);
        ours.put("sizeof(struct fuse_setattr_in)", (long) FuseRequests.SETATTR_BYTES);
        ours.put("offsetof(struct fuse_open_in, flags)", (long) FuseRequests.OPEN_FLAGS_OFFSET);
        ours.put("sizeof(struct fuse_open_in)", (long) FuseRequests.OPEN_BYTES);
        ours.put("offsetof(struct fuse_create_in, flags)", (long) FuseRequests.CREATE_FLAGS_OFFSET);
        ours.put("offsetof(struct fuse_create_in, mode)", (long) FuseRequests.CREATE_MODE_OFFSET);
        ours.put("sizeof(struct fuse_create_in)", (long) FuseRequests.CREATE_BYTES);
        ours.put("offsetof(struct fuse_release_in, fh)", (long) FuseRequests.RELEASE_FH_OFFSET);
        ours.put("sizeof(struct fuse_release_in)", (long) FuseRequests.RELEASE_BYTES);
        ours.put("offsetof(struct fuse_flush_in, fh)", (long) FuseRequests.FLUSH_FH_OFFSET);
        ours.put("sizeof(struct fuse_flush_in)", (long) FuseRequests.FLUSH_BYTES);
        ours.put("offsetof(struct fuse_read_in, fh)", (long) FuseRequests.READ_FH_OFFSET);
        ours.put("offsetof(struct fuse_read_in, offset)", (long) FuseRequests.READ_OFFSET_OFFSET);
        ours.put("offsetof(struct fuse_read_in, size)", (long) FuseRequests.READ_SIZE_OFFSET);
        ours.put("sizeof(struct fuse_read_in)", (long) FuseRequests.READ_BYTES);
        ours.put("offsetof(struct fuse_write_in, fh)", (long) FuseRequests.WRITE_FH_OFFSET);
        ours.put("offsetof(struct fuse_write_in, offset)", (long) FuseRequests.WRITE_OFFSET_OFFSET);
        ours.put("offsetof(struct fuse_write_in, size)", (long) FuseRequests.WRITE_SIZE_OFFSET);
        ours.put("sizeof(struct fuse_write_in)", (long) FuseRequests.WRITE_BYTES);
        ours.put("offsetof(struct fuse_fsync_in, fh)", (long) FuseRequests.FSYNC_FH_OFFSET);
        ours.put("offsetof(struct fuse_fsync_in, fsync_flags)", (long) FuseRequests.FSYNC_FSYNC_FLAGS_OFFSET);
        ours.put("sizeof(struct fuse_fsync_in)", (long) FuseRequests.FSYNC_BYTES);
        ours.put("offsetof(struct fuse_getxattr_in, size)", (long) FuseRequests.GETXATTR_SIZE_OFFSET);
        ours.put("sizeof(struct fuse_getxattr_in)", (long) FuseRequests.GETXATTR_BYTES);
        assertMatches(ours);
    }

    @Test
    void answersMatchTheHeader() {
        Map<String, Long> ours = new LinkedHashMap<>();
        ours.put("offsetof(struct fuse_out_header, len)", (long) FuseAnswers.HEADER_LEN_OFFSET);
        ours.put("offsetof(struct fuse_out_header, error)", (long) FuseAnswers.HEADER_ERROR_OFFSET);
        ours.put("offsetof(struct fuse_out_header, unique)", (long) FuseAnswers.HEADER_UNIQUE_OFFSET);
        ours.put("sizeof(struct fuse_out_header)", (long) FuseAnswers.HEADER_BYTES);
        ours.put("offsetof(struct fuse_init_out, major)", (long) FuseAnswers.INIT_MAJOR_OFFSET);
        ours.put("offsetof(struct fuse_init_out, minor)", (long) FuseAnswers.INIT_MINOR_OFFSET);
        ours.put("offsetof(struct fuse_init_out, max_readahead)", (long) FuseAnswers.INIT_MAX_READAHEAD_OFFSET);
        ours.put("offsetof(struct fuse_init_out, flags)", (long) FuseAnswers.INIT_FLAGS_OFFSET);
        ours.put("offsetof(struct fuse_init_out, max_background)", (long) FuseAnswers.INIT_MAX_BACKGROUND_OFFSET);
        ours.put("offsetof(struct fuse_init_out, congestion_threshold)", (long)
                FuseAnswers.INIT_CONGESTION_THRESHOLD_OFFSET);
        ours.put("offsetof(struct fuse_init_out, max_write)", (long) FuseAnswers.INIT_MAX_WRITE_OFFSET);
        ours.put("offsetof(struct fuse_init_out, time_gran)", (long) FuseAnswers.INIT_TIME_GRAN_OFFSET);
        ours.put("offsetof(struct fuse_init_out, max_pages)", (long) FuseAnswers.INIT_MAX_PAGES_OFFSET);
        ours.put("sizeof(struct fuse_init_out)", (long) FuseAnswers.INIT_BYTES);
        ours.put("offsetof(struct fuse_entry_out, nodeid)", (long) FuseAnswers.ENTRY_NODEID_OFFSET);
        ours.put("offsetof(struct fuse_entry_out, generation)", (long) FuseAnswers.ENTRY_GENERATION_OFFSET);
        ours.put("offsetof(struct fuse_entry_out, entry_valid)", (long) FuseAnswers.ENTRY_ENTRY_VALID_OFFSET);
        ours.put("offsetof(struct fuse_entry_out, attr_valid)", (long) FuseAnswers.ENTRY_ATTR_VALID_OFFSET);
        ours.put("offsetof(struct fuse_entry_out, entry_valid_nsec)", (long) FuseAnswers.ENTRY_ENTRY_VALID_NSEC_OFFSET);
        ours.put("offsetof(struct fuse_entry_out, attr_valid_nsec)", (long) FuseAnswers.ENTRY_ATTR_VALID_NSEC_OFFSET);
        ours.put("offsetof(struct fuse_entry_out, attr)", (long) FuseAnswers.ENTRY_ATTR_OFFSET);
        ours.put("sizeof(struct fuse_entry_out)", (long) FuseAnswers.ENTRY_BYTES);
        ours.put("offsetof(struct fuse_attr_out, attr_valid)", (long) FuseAnswers.ATTR_ATTR_VALID_OFFSET);
        ours.put("offsetof(struct fuse_attr_out, attr_valid_nsec)", (long) FuseAnswers.ATTR_ATTR_VALID_NSEC_OFFSET);
        ours.put("offsetof(struct fuse_attr_out, attr)", (long) FuseAnswers.ATTR_ATTR_OFFSET);
        ours.put("sizeof(struct fuse_attr_out)", (long) FuseAnswers.ATTR_BYTES);
        ours.put("offsetof(struct fuse_attr, ino)", (long) FuseAnswers.ATTRIBUTES_INO_OFFSET);
        ours.put("offsetof(struct fuse_attr, size)", (long) FuseAnswers.ATTRIBUTES_SIZE_OFFSET);
        ours.put("offsetof(struct fuse_attr, blocks)", (long) FuseAnswers.ATTRIBUTES_BLOCKS_OFFSET);
        ours.put("offsetof(struct fuse_attr, atime)", (long) FuseAnswers.ATTRIBUTES_ATIME_OFFSET);
        ours.put("offsetof(struct fuse_attr, mtime)", (long) FuseAnswers.ATTRIBUTES_MTIME_OFFSET);
        ours.put("offsetof(struct fuse_attr, ctime)", (long) FuseAnswers.ATTRIBUTES_CTIME_OFFSET);
        ours.put("offsetof(struct fuse_attr, atimensec)", (long) FuseAnswers.ATTRIBUTES_ATIMENSEC_OFFSET);
        ours.put("offsetof(struct fuse_attr, mtimensec)", (long) FuseAnswers.ATTRIBUTES_MTIMENSEC_OFFSET);
        ours.put("offsetof(struct fuse_attr, ctimensec)", (long) FuseAnswers.ATTRIBUTES_CTIMENSEC_OFFSET);
        ours.put("offsetof(struct fuse_attr, mode)", (long) FuseAnswers.ATTRIBUTES_MODE_OFFSET);
        ours.put("offsetof(struct fuse_attr, nlink)", (long) FuseAnswers.ATTRIBUTES_NLINK_OFFSET);
        ours.put("offsetof(struct fuse_attr, uid)", (long) FuseAnswers.ATTRIBUTES_UID_OFFSET);
        ours.put("offsetof(struct fuse_attr, gid)", (long) FuseAnswers.ATTRIBUTES_GID_OFFSET);
        ours.put("offsetof(struct fuse_attr, rdev)", (long) FuseAnswers.ATTRIBUTES_RDEV_OFFSET);
        ours.put("offsetof(struct fuse_attr, blksize)", (long) FuseAnswers.ATTRIBUTES_BLKSIZE_OFFSET);
        ours.put("sizeof(struct fuse_attr)", (long) FuseAnswers.ATTRIBUTES_BYTES);
        ours.put("offsetof(struct fuse_open_out, fh)", (long) FuseAnswers.OPEN_FH_OFFSET);
        ours.put("offsetof(struct fuse_open_out, open_flags)", (long) FuseAnswers.OPEN_OPEN_FLAGS_OFFSET);
        ours.put("sizeof(struct fuse_open_out)", (long) FuseAnswers.OPEN_BYTES);
        ours.put("offsetof(struct fuse_write_out, size)", (long) FuseAnswers.WRITE_SIZE_OFFSET);
        ours.put("sizeof(struct fuse_write_out)", (long) FuseAnswers.WRITE_BYTES);
        ours.put("offsetof(struct fuse_kstatfs, blocks)", (long) FuseAnswers.STATFS_BLOCKS_OFFSET);
        ours.put("offsetof(struct fuse_kstatfs, bfree)", (long) FuseAnswers.STATFS_BFREE_OFFSET);
        ours.put("offsetof(struct fuse_kstatfs, bavail)", (long) FuseAnswers.STATFS_BAVAIL_OFFSET);
        ours.put("offsetof(struct fuse_kstatfs, files)", (long) FuseAnswers.STATFS_FILES_OFFSET);
        ours.put("offsetof(struct fuse_kstatfs, ffree)", (long) FuseAnswers.STATFS_FFREE_OFFSET);
        ours.put("offsetof(struct fuse_kstatfs, bsize)", (long) FuseAnswers.STATFS_BSIZE_OFFSET);
        ours.put("offsetof(struct fuse_kstatfs, namelen)", (long) FuseAnswers.STATFS_NAMELEN_OFFSET);
        ours.put("offsetof(struct fuse_kstatfs, frsize)", (long) FuseAnswers.STATFS_FRSIZE_OFFSET);
        ours.put("sizeof(struct fuse_kstatfs)", (long) FuseAnswers.STATFS_BYTES);
        ours.put("offsetof(struct fuse_dirent, ino)", (long) FuseAnswers.DIRENT_INO_OFFSET);
        ours.put("offsetof(struct fuse_dirent, off)", (long) FuseAnswers.DIRENT_OFF_OFFSET);
        ours.put("offsetof(struct fuse_dirent, namelen)", (long) FuseAnswers.DIRENT_NAMELEN_OFFSET);
        ours.put("offsetof(struct fuse_dirent, type)", (long) FuseAnswers.DIRENT_TYPE_OFFSET);
        ours.put("offsetof(struct fuse_dirent, name)", (long) FuseAnswers.DIRENT_NAME_OFFSET);
        ours.put("sizeof(struct fuse_dirent)", (long) FuseAnswers.DIRENT_BYTES);
        ours.put("offsetof(struct fuse_getxattr_out, size)", (long) FuseAnswers.GETXATTR_SIZE_OFFSET);
        ours.put("sizeof(struct fuse_getxattr_out)", (long) FuseAnswers.GETXATTR_BYTES);
        ours.put("offsetof(struct fuse_notify_inval_inode_out, ino)", (long) FuseAnswers.INVAL_INODE_INO_OFFSET);
        ours.put("offsetof(struct fuse_notify_inval_inode_out, off)", (long) FuseAnswers.INVAL_INODE_OFF_OFFSET);
        ours.put("offsetof(struct fuse_notify_inval_inode_out, len)", (long) FuseAnswers.INVAL_INODE_LEN_OFFSET);
        ours.put("sizeof(struct fuse_notify_inval_inode_out)", (long) FuseAnswers.INVAL_INODE_BYTES);
        assertMatches(ours);
    }

    private static void assertMatches(Map<String, Long> ours) {
        CProbe probe = new CProbe(HEADER);
        ours.keySet().forEach(probe::ask);
        assertThat(ours).isEqualTo(probe.answers());
    }
}
