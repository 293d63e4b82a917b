import { command } from "./command.ts";
import { SCRIPTS, SHELLS, type ShellName } from "./completion-scripts.ts";

export const completionCommand = command<{ readonly shell: ShellName }>({
  command: "completion <shell>",
  describe: "Print what a shell needs to complete plancast's commands, flags and calendars",
  flags: (yargs) =>
    yargs
      .positional("shell", { choices: SHELLS, demandOption: true, describe: "Shell to print it for" })
      .example("$0 completion bash", "In ~/.bashrc: source <(plancast completion bash)")
      .example("$0 completion zsh", "In ~/.zshrc, after compinit: source <(plancast completion zsh)")
      .example("$0 completion fish", "Into ~/.config/fish/completions/plancast.fish"),
  run: async ({ shell }, _process, console) => {
    console.result(SCRIPTS[shell]);
    return 0;
  },
});
