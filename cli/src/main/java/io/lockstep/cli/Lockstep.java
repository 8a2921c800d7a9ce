package io.lockstep.cli;

import io.lockstep.cli.console.Console;
import io.lockstep.cli.directories.RunsCommand;
import io.lockstep.cli.option.Choice;
import io.lockstep.cli.option.ColumnOptions.MissingColumn;
import io.lockstep.cli.option.WholeNumbers;
import io.lockstep.cli.past.ReplayCommand;
import io.lockstep.cli.past.VerifyCommand;
import io.lockstep.cli.rows.Format;
import io.lockstep.cli.run.QuickstartCommand;
import io.lockstep.cli.run.RunCommand;
import io.lockstep.cli.run.ServeCommand;
import io.lockstep.cli.status.LanesCommand;
import io.lockstep.cli.status.StatusCommand;
import io.lockstep.manifest.PartitionType;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.transform.python.WorkerPools;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code lockstep}. */
@Command(
        name = "lockstep",
        description =
                "Feed PyTorch training from Parquet through Apache Flink, in a reproducible order.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        versionProvider = Version.class,
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Commands of the script ./lockstep itself:",
            "  test        Run the project's tests and checks; see './lockstep test --help'.",
            "  chaos       Inject random faults into a real Flink cluster of local processes.",
            "",
            "Results go to standard output, everything else to standard error.",
            "Exit codes: 0 success; 1 failure, or the data do not allow the request; 2 usage error: an "
                    + "invalid option or run file, or a column, sample, step or rank that does not exist."
        })
final class Lockstep implements Runnable {

    @Spec private CommandSpec spec;

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "Print the stack trace of a failure.")
    private boolean debug;

    private Lockstep() {}

    /** Runs the command and returns its exit code; never throws. */
    static int run(Console console, String... args) {
        try (WorkerPools.Hold workers = WorkerPools.hold()) {
            return commandLine(console).execute(args);
        }
    }

    /** The command with all its subcommands. */
    static CommandLine commandLine(Console console) {
        Lockstep lockstep = new Lockstep();
        CommandLine line =
                new CommandLine(lockstep)
                        .addSubcommand(new PlanCommand(console))
                        .addSubcommand(new OrderCommand(console))
                        .addSubcommand(new LocateCommand(console))
                        .addSubcommand(new ShowCommand(console))
                        .addSubcommand(new CheckCommand(console))
                        .addSubcommand(new CatCommand(console))
                        .addSubcommand(new ReplayCommand(console))
                        .addSubcommand(new VerifyCommand(console))
                        .addSubcommand(new RunCommand(console))
                        .addSubcommand(new ServeCommand(console))
                        .addSubcommand(new StatusCommand(console))
                        .addSubcommand(new LanesCommand(console))
                        .addSubcommand(RunsCommand.commandLine(console))
                        .addSubcommand(new QuickstartCommand(console))
                        .addSubcommand(new HelpCommand());
        Failures failures = new Failures(console, () -> lockstep.debug);
        // One instance each: JDK 17 crashes when it archives the classes of two equal references.
        ITypeConverter<Integer> integers = WholeNumbers::toInteger;
        ITypeConverter<Long> longs = WholeNumbers::toLong;
        return line.registerConverter(Integer.class, integers)
                .registerConverter(int.class, integers)
                .registerConverter(Long.class, longs)
                .registerConverter(long.class, longs)
                .registerConverter(Shuffle.class, new Choice<>(Shuffle.class))
                .registerConverter(Tail.class, new Choice<>(Tail.class))
                .registerConverter(MissingColumn.class, new Choice<>(MissingColumn.class))
                .registerConverter(PartitionType.class, new Choice<>(PartitionType.class))
                .registerConverter(Format.class, new Choice<>(Format.class))
                .setUsageHelpLongOptionsMaxWidth(28)
                .setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }

    /** Rejects a call without a verb. */
    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a verb is missing");
    }
}
