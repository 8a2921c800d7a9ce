package io.lockstep.parquet;

/** Works on arrays of levels. */
final class Levels {

    private Levels() {}

    /** The array, or a new one that is large enough. */
    static byte[] room(byte[] levels, int count) {
        return levels.length >= count ? levels : new byte[count];
    }

    /** How many of the first levels are the one. */
    static int count(byte[] levels, int count, int level) {
        int found = 0;
        for (int i = 0; i < count; i++) {
            found += levels[i] == level ? 1 : 0;
        }
        return found;
    }
}
