/** A mail server (SMTP) on this machine, without TLS, as plancast allows it only here. */
import { createServer } from "node:net";
import { onTestFinished } from "vitest";

interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, as they came. */
  readonly text: string;
}

export interface MailServer {
  /** With the user `team@example.com` and the password `pass word`. */
  readonly url: string;
  readonly mails: Mail[];
  /** The answer to the next mail; undefined for success. */
  refuse: string | undefined;
}

export async function startMailServer(): Promise<MailServer> {
  const started: MailServer = { url: "", mails: [], refuse: undefined };
  const server = createServer((socket) => {
    let from = "";
    let to: string[] = [];
    let data: string | undefined;
    let waiting = "";
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    say("220 test ESMTP");
    socket.setEncoding("utf8").on("error", () => undefined);
    const command = (line: string): void => {
      if (data !== undefined) {
        if (line !== ".") {
          data += `${line}\n`;
          return;
        }
        if (started.refuse === undefined) started.mails.push({ from, to, text: data });
        say(started.refuse ?? "250 OK");
        data = undefined;
        return;
      }
      const [word = ""] = line.toUpperCase().split(/[ :]/);
      if (word === "EHLO") return say("250-test\r\n250 AUTH PLAIN");
      if (word === "AUTH") {
        const right = Buffer.from("\0team@example.com\0pass word").toString("base64");
        return say(line === `AUTH PLAIN ${right}` ? "235 OK" : `535 Wrong: ${line}`);
      }
      if (line.startsWith("MAIL FROM:")) from = line.slice("MAIL FROM:".length);
      if (line.startsWith("RCPT TO:")) to = [...to, line.slice("RCPT TO:".length)];
      if (word === "DATA") {
        data = "";
        return say("354 Go on");
      }
      say(word === "QUIT" ? "221 Bye" : "250 OK");
      if (word === "QUIT") socket.end();
    };
    socket.on("data", (chunk: string) => {
      waiting += chunk;
      const lines = waiting.split("\r\n");
      waiting = lines.pop() ?? "";
      for (const line of lines) command(line);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : "";
  return Object.assign(started, { url: `smtp://team%40example.com:pass%20word@127.0.0.1:${port}` });
}
