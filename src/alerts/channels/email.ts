/** Mails through a mail server, whose address with its password is in the environment. */

import { isLoopback, parseUrl } from "../../model/address.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import { secretOf } from "../../networks/open-accounts.ts";
import type { MailSettings } from "../../settings/notify.ts";
import { newsCounts, newsText } from "../core/message.ts";
import type { Channel } from "./channel.ts";
import { type ChannelOptions, notSent } from "./web-channel.ts";

/** A mail server, as its address names it. */
interface MailServer {
  readonly host: string;
  readonly port: number;
  /** Whether the connection begins with TLS. Otherwise, it must change to TLS before the password. */
  readonly secure: boolean;
  readonly requireTLS: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
}

/** Source: RFC 8314, section 3.3, and RFC 6409. */
const PORTS = { "smtps:": 465, "smtp:": 587 } as const;

/** Longest mail, in UTF-16 units. */
const MAX_LENGTH = 20_000;

/** Longest wait for the mail server, in ms. */
const TIMEOUT_MS = 20_000;

/** Throws a Failure if the variable is not set, or has another form. */
export async function openEmail(
  settings: MailSettings,
  { project, env }: Pick<ChannelOptions, "project" | "env">,
): Promise<Channel> {
  const { smtp_env: variable, to, from } = settings;
  const server = mailServer(await secretOf("notify.email", variable, env, FORM), variable);
  const sender = from ?? server.auth?.user;
  if (sender === undefined || !sender.includes("@"))
    throw new Failure(
      "notify/settings",
      `The mails have no sender, because the user name in ${variable} is not an e-mail address.`,
      "Set `notify.email.from` in plancast.yaml.",
    );
  // Loaded on demand: few runs send a mail.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    ...server,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    name: "email",
    send: async (news) => {
      const subject = `plancast, ${project}: ${newsCounts(news)}`;
      const text = `${newsText(project, news, MAX_LENGTH)}\n`;
      try {
        await transport.sendMail({ from: sender, to: [...to], subject, text });
      } catch (error) {
        throw notSent("The mail server", withoutSecret(reasonOf(error), server));
      }
    },
    close: () => {
      transport.close();
      return Promise.resolve();
    },
  };
}

const FORM =
  "Write the mail server like smtps://user:password@smtp.example.com, with special characters of the password as %40.";

/** Throws a Failure that does not repeat the address. */
function mailServer(text: string, variable: string): MailServer {
  const refuse = (what: string): Failure =>
    new Failure("notify/settings", `The mail server in ${variable} ${what}.`, FORM);
  const url = parseUrl(text);
  const { protocol } = url ?? {};
  if (url === undefined || (protocol !== "smtp:" && protocol !== "smtps:") || url.hostname === "")
    throw refuse("does not begin with smtps:// or smtp://");
  const [user, pass] = [url.username, url.password].map(decoded);
  if (user === undefined || pass === undefined) throw refuse("has a % that is not written as %25");
  return {
    host: url.hostname,
    port: url.port === "" ? PORTS[protocol] : Number(url.port),
    secure: protocol === "smtps:",
    // Without it, somebody on the way could keep the connection unencrypted and read the password.
    requireTLS: protocol === "smtp:" && !isLoopback(url),
    auth: user === "" ? undefined : { user, pass },
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A mail server may repeat what it got, as it is or in base64. */
function withoutSecret(reason: string, { auth }: MailServer): string {
  if (auth === undefined || auth.pass === "") return reason;
  const { user, pass } = auth;
  const forms = [pass, ...[pass, `\0${user}\0${pass}`].map((each) => Buffer.from(each).toString("base64"))];
  return forms.reduce((text, form) => text.replaceAll(form, "…"), reason);
}
