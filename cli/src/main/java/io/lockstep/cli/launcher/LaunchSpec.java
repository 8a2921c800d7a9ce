package io.lockstep.cli.launcher;

import io.lockstep.UserException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How to start the trainers of a run.
 *
 * @param command starts one rank
 * @param directory working directory of the ranks
 * @param ranks number of ranks
 * @param restarts how often all ranks are restarted after one failed
 * @param runDirectory the run's directory, a local path or one with a scheme
 */
public record LaunchSpec(
        List<String> command, Path directory, int ranks, int restarts, String runDirectory) {

    /**
     * @throws UserException if there is no such program
     */
    public LaunchSpec {
        command = List.copyOf(command);
        checkProgram(command.get(0), directory);
    }

    /**
     * Checks that a program exists. Reported here, a missing program is one message instead of the
     * same error in every rank's log.
     *
     * @param directory working directory of the program
     * @throws UserException if there is no such program
     */
    public static void checkProgram(String program, Path directory) {
        if (program.indexOf(File.separatorChar) >= 0) {
            if (!Files.isExecutable(directory.resolve(program))) {
                throw new UserException(
                        "the trainers' command begins with '"
                                + program
                                + "', which is no program in "
                                + directory
                                + "; correct trainers.command");
            }
            return;
        }
        String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
        for (String place : path.split(File.pathSeparator)) {
            Path candidate = Path.of(place.isEmpty() ? "." : place, program);
            if (Files.isExecutable(candidate) && !Files.isDirectory(candidate)) {
                return;
            }
        }
        throw new UserException(
                "the trainers' command begins with '"
                        + program
                        + "', which is in no directory of PATH; correct trainers.command or PATH");
    }
}
