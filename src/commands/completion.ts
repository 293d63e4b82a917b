/**
 * `plancast completion`: prints a script for the shell. The script passes the words so far, ending with the one under
 * the cursor, to complete.ts, and gets one candidate per line. Without candidates, the shell offers files.
 */

import { defineCommand } from "./shell/command.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;

export type ShellName = (typeof SHELLS)[number];

/** The argument that requests candidates, followed by the shell and the words after `plancast`. */
const ASK = "--complete";

/** Bash also splits words at `=` and `:`, and replaces only the part after them. */
const BASH = `# plancast completion for bash. In ~/.bashrc: source <(plancast completion bash)
_plancast() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$(printf '%q' "$line")")
  done < <("\${COMP_WORDS[0]}" ${ASK} bash "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
}
complete -o default -F _plancast plancast
`;

const ZSH = `#compdef plancast
# plancast completion for zsh. In ~/.zshrc, after compinit: source <(plancast completion zsh)
_plancast() {
  local -a found
  found=("\${(@f)$("\${words[1]}" ${ASK} zsh "\${(@)words[2,CURRENT]}" 2> /dev/null)}")
  if [[ -n "\${found[1]}" ]]; then
    _describe plancast found
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _plancast ]]; then
  _plancast "$@"
else
  compdef _plancast plancast
fi
`;

const FISH = `# plancast completion for fish. plancast completion fish > ~/.config/fish/completions/plancast.fish
function __plancast_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found ($words[1] ${ASK} fish $words[2..-1] "$current" 2> /dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c plancast -f -a '(__plancast_complete)'
`;

const SCRIPTS: Readonly<Record<ShellName, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

export const command = defineCommand({
  flags: { shell: { isPositional: true, choices: SHELLS, demandOption: true, describe: "Your shell" } },
  examples: [
    ["completion bash", "In ~/.bashrc: source <(plancast completion bash)"],
    ["completion zsh", "In ~/.zshrc, after compinit: source <(plancast completion zsh)"],
    ["completion fish", "Save as ~/.config/fish/completions/plancast.fish"],
  ],
  run: async ({ flags, console }) => {
    console.result(SCRIPTS[flags.shell]);
    return 0;
  },
});
