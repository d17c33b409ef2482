package io.reactiveinformer.demo;

import io.reactiveinformer.resource.KubernetesException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Runs the subcommand of the arguments, or the default one, and explains invalid arguments. */
@Command(name = "informer", version = "reactive-informer 0.1.0-SNAPSHOT", mixinStandardHelpOptions = true,
        description = "Shows what an informer sees: the existing objects, then each change.",
        footer = {"", "Without a subcommand, watch is run. Each has its own --help: ./informer watch --help"})
final class Commands {

    private static final String DEFAULT = "watch";

    private Commands() {}

    /** Runs the command of {@code args}. Returns the exit code, and throws nothing. */
    static int run(String[] args, Surroundings surroundings) {
        CommandLine commands = all(surroundings);
        return commands.execute(withSubcommand(commands, args));
    }

    static CommandLine all(Surroundings surroundings) {
        return new CommandLine(new Commands())
                .addSubcommand(new WatchCommand(surroundings))
                .addSubcommand(new ControllersCommand(surroundings))
                .addSubcommand(new DashboardCommand(surroundings))
                .registerConverter(Duration.class, new DurationConverter())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(surroundings.out().writer(), true))
                .setParameterExceptionHandler((failure, wrong) -> refuse(failure, surroundings))
                .setExecutionExceptionHandler((failure, commandLine, parsed) -> giveUp(failure, surroundings));
    }

    /**
     * The arguments with the subcommand in front: the first argument that is not an option, if it names a subcommand, else the default one.
     * A resource of such a name must be written after {@code --}.
     */
    static String[] withSubcommand(CommandLine commands, String... args) {
        var rest = new ArrayList<>(Arrays.asList(args));
        if (!rest.isEmpty() && commands.getCommandSpec().findOption(rest.get(0)) != null) {
            return args; // --help and --version of the program
        }
        int first = firstNonOption(Objects.requireNonNull(commands.getSubcommands().get(DEFAULT)), rest);
        boolean named = first < rest.size() && commands.getSubcommands().containsKey(rest.get(first));
        rest.add(0, named ? rest.remove(first) : DEFAULT);
        return rest.toArray(String[]::new);
    }

    private static int firstNonOption(CommandLine command, List<String> args) {
        for (int i = 0; i < args.size(); i++) {
            String arg = args.get(i);
            if (arg.equals("--")) {
                return args.size();
            }
            if (!arg.startsWith("-")) {
                return i;
            }
            OptionSpec option = command.getCommandSpec().findOption(arg);
            if (option != null && option.arity().min() > 0) {
                i++; // its value
            }
        }
        return args.size();
    }

    private static int refuse(ParameterException failure, Surroundings surroundings) {
        String hint = failure instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption()
                ? Nearest.hint(unmatched.getUnmatched().get(0), failure.getCommandLine().getCommandSpec().optionsMap().keySet())
                : "";
        String command = failure.getCommandLine().getParent() == null ? DEFAULT : failure.getCommandLine().getCommandName();
        surroundings.say("error: " + failure.getMessage() + hint + " (./informer " + command + " --help lists the options)");
        return ExitCode.USAGE;
    }

    private static int giveUp(Exception failure, Surroundings surroundings) {
        if (failure instanceof UsageException) {
            surroundings.say("error: " + failure.getMessage());
            return ExitCode.USAGE;
        }
        boolean plain = failure instanceof OutputFailedException || failure instanceof KubernetesException; // its message is complete
        surroundings.say("error: " + (plain ? failure.getMessage() : failure));
        return ExitCode.NOT_SYNCED;
    }
}
