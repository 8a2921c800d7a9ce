package io.lockstep.audit;

import java.io.IOException;
import java.util.zip.CRC32C;

/** The CRC-32C that detects damage in files of the archive. */
final class Checksum {

    private Checksum() {}

    static int of(byte[] bytes, int from, int to) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, from, to - from);
        return (int) checksum.getValue();
    }

    static IOException damaged(String file) {
        return new IOException(
                file
                        + " is damaged: its checksum does not match; restore it, or delete it to go on"
                        + " without its digests");
    }

    static IOException unknownFormat(String file) {
        return new IOException(
                file + " has digests in a format that this release does not know: use a later one");
    }
}
