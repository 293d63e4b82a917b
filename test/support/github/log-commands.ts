/**
 * The texts in a log that the runner treats as commands. Source: actions/runner, src/Runner.Common/ActionCommand.cs.
 */

export interface RunnerCommand {
  readonly command: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

export function commandsIn(log: string): RunnerCommand[] {
  return log.split(/\r?\n/).flatMap((line): RunnerCommand[] => {
    const second = /^\s*::([^\s:]+)(?: (.*?))?::(.*)$/.exec(line);
    const first = /##\[([^\]\s]+)([^\]]*)\](.*)$/.exec(line);
    const [, command, given = "", message = ""] = second ?? first ?? [];
    if (command === undefined) return [];
    const properties = given.split(",").flatMap((pair): [string, string][] => {
      const [name = "", ...value] = pair.split("=");
      return name === "" ? [] : [[name.trim(), unescape(value.join("="))]];
    });
    return [{ command, properties: Object.fromEntries(properties), message: unescape(message) }];
  });
}

function unescape(text: string): string {
  return text
    .replaceAll("%0D", "\r")
    .replaceAll("%0A", "\n")
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",")
    .replaceAll("%25", "%");
}
