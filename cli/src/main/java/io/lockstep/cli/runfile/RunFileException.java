package io.lockstep.cli.runfile;

import io.lockstep.WrongUseException;
import org.apache.flink.annotation.PublicEvolving;

/** An invalid run file: one line with file and line number. */
@PublicEvolving
public final class RunFileException extends WrongUseException {

    private static final long serialVersionUID = 1L;

    RunFileException(String message) {
        super(message);
    }

    RunFileException(String file, int line, String message) {
        super(file + ":" + line + ": " + message);
    }
}
