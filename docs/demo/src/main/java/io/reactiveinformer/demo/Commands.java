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

/** Knows the subcommands, and what to say to who writes none or a wrong one. */
@Command(name = "informer", version = "reactive-informer 0.1.0-SNAPSHOT", mixinStandardHelpOptions = true,
        description = "Shows what an informer sees: what is there, then what happens.",
        footer = {"", "Without a subcommand it is watch. Each has a --help of its own: ./informer watch --help"})
final class Commands {

    private static final String DEFAULT = "watch";

    private Commands() {}

    /** Runs what {@code args} ask for; gives the exit code, and throws nothing. */
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
     * The same with the subcommand in front. It is the first argument that is not an option, if it names one: a resource of that name is
     * written after {@code --}.
     */
    static String[] withSubcommand(CommandLine commands, String... args) {
        var rest = new ArrayList<>(Arrays.asList(args));
        if (!rest.isEmpty() && commands.getCommandSpec().findOption(rest.get(0)) != null) {
            return args; // --help and --version of the whole
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
        surroundings.say("error: " + failure.getMessage() + hint + " (./informer " + command + " --help tells what there is)");
        return ExitCode.USAGE;
    }

    private static int giveUp(Exception failure, Surroundings surroundings) {
        if (failure instanceof UsageException) {
            surroundings.say("error: " + failure.getMessage());
            return ExitCode.USAGE;
        }
        boolean plain = failure instanceof OutputFailedException || failure instanceof KubernetesException; // its message says it all
        surroundings.say("error: " + (plain ? failure.getMessage() : failure));
        return ExitCode.NOT_SYNCED;
    }
}
