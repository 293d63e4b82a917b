/** The built command at a pseudo terminal, as a person has it. Needs `script`, and `npm run build`. */
import { spawn } from "node:child_process";
import manifest from "../../package.json" with { type: "json" };

export interface TerminalOptions {
  readonly cwd: string;
  readonly columns: number;
  /** Inherits only PATH from the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the person types once the terminal shows this question. */
  readonly answer?: { readonly to: string; readonly typed: string };
}

const SCRIPT = new URL(`../../${manifest.bin.plancast}`, import.meta.url).pathname;

/** Everything that the terminal received: stdout and stderr in order, with unchanged line ends. */
export async function runInTerminal(args: readonly string[], options: TerminalOptions): Promise<string> {
  const { answer } = options;
  const command = [process.execPath, SCRIPT, ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", scriptArguments(`stty cols ${options.columns}; ${command}`), {
    cwd: options.cwd,
    env: { PATH: process.env["PATH"], HOME: options.cwd, TERM: "xterm", LANG: "C.UTF-8", ...options.env },
    stdio: [answer === undefined ? "ignore" : "pipe", "pipe", "inherit"],
  });
  const chunks: Uint8Array[] = [];
  const shown = (): string => Buffer.concat(chunks).toString("utf8").replaceAll("\r\n", "\n");
  let isAnswered = false;
  child.stdout?.on("data", (chunk: Uint8Array) => {
    chunks.push(chunk);
    if (answer === undefined || isAnswered || !shown().includes(answer.to)) return;
    isAnswered = true;
    child.stdin?.end(`${answer.typed}\n`);
  });
  await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
  return shown();
}

/** Linux has the `script` of util-linux; macOS has another one. */
function scriptArguments(command: string): string[] {
  return process.platform === "linux"
    ? ["-qec", command, "/dev/null"]
    : ["-q", "/dev/null", "sh", "-c", command];
}
