package io.lockstep.cli;

import io.lockstep.UserException;
import io.lockstep.WrongUseException;
import io.lockstep.cli.console.Console;
import io.lockstep.order.NoSuchPlaceException;
import io.lockstep.order.OrderException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.flink.util.ExceptionUtils;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Maps any failure to one message and an exit code. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {

    private static final int FAILED = 1;
    private static final int WRONG_USE = 2;

    private final Console console;
    private final BooleanSupplier debug;

    Failures(Console console, BooleanSupplier debug) {
        this.console = console;
        this.debug = debug;
    }

    @Override
    public int handleParseException(ParameterException error, String[] args) {
        CommandLine line = error.getCommandLine();
        List<String> unknown = line.getUnmatchedArguments();
        console.print(
                "lockstep: "
                        + (unknown.isEmpty()
                                ? sentence(error.getMessage())
                                : unknown(unknown.get(0), line)));
        CommandLine.UnmatchedArgumentException.printSuggestions(error, line.getErr());
        console.print("See '" + line.getCommandSpec().qualifiedName() + " --help'.");
        return WRONG_USE;
    }

    @Override
    public int handleExecutionException(Exception error, CommandLine line, ParseResult result) {
        if (error instanceof ParameterException wrong) {
            return handleParseException(wrong, new String[0]);
        }
        console.print("lockstep: " + message(error));
        if (debug.getAsBoolean()) {
            console.err().println(ExceptionUtils.stringifyException(error));
        }
        return isWrongUse(error) ? WRONG_USE : FAILED;
    }

    /** {@code order} depends on nothing else and has its own exception type for wrong use. */
    private static boolean isWrongUse(Exception error) {
        return error instanceof WrongUseException || error instanceof NoSuchPlaceException;
    }

    private String message(Throwable error) {
        if (error instanceof UserException || error instanceof OrderException) {
            return error.getMessage();
        }
        if (error instanceof UncheckedIOException) {
            return message(error.getCause());
        }
        if (error instanceof IOException) {
            return error.getMessage() == null ? error.toString() : error.getMessage();
        }
        return "internal error: "
                + error
                + (debug.getAsBoolean() ? "" : "; --debug shows where it comes from");
    }

    /** Picocli reports an unknown option only if no required argument is missing. */
    private static String unknown(String argument, CommandLine line) {
        if (argument.startsWith("-")) {
            return "there is no option '" + argument.split("=", 2)[0] + "'";
        }
        return line.getSubcommands().isEmpty()
                ? "'" + argument + "' is one argument too many"
                : "there is no verb '" + argument + "'";
    }

    /** Strips the prefix of Picocli's messages and keeps their first line. */
    private static String sentence(String message) {
        String first = message.lines().findFirst().orElse("wrong use");
        return first.startsWith("Error: ") ? first.substring("Error: ".length()) : first;
    }
}
