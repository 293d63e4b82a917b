/** `notify:` of plancast.yaml: who gets alerts. Addresses that are keys are in environment variables. */

import { z } from "zod";
import { variable } from "./accounts.ts";

/** One address, without a name. Nothing in it can begin another header. */
const mailAddress = z
  .string()
  .max(254)
  .regex(/^[^\s@,;:<>()"\\]+@[^\s@,;:<>()"\\]+$/, "an e-mail address, such as team@example.com");

/** @param what receives the alerts */
function address(what: string) {
  return z
    .strictObject({ url_env: variable(`the address of ${what}`) })
    .optional()
    .describe(`Alerts to ${what}.`);
}

const email = z
  .strictObject({
    smtp_env: variable("the mail server, such as smtps://user:password@smtp.example.com"),
    to: z
      .union([mailAddress, z.array(mailAddress).min(1).max(20)])
      .transform((to) => (typeof to === "string" ? [to] : to))
      .describe("Who gets the mails: one address, or a list."),
    from: mailAddress.optional().describe("The sender. Default: the user name of the mail server."),
  })
  .optional()
  .describe("Alerts as e-mail.");

export const notifySchema = z.strictObject({
  slack: address("an incoming webhook of Slack"),
  discord: address("a webhook of Discord"),
  webhook: address("a webhook that receives alerts as JSON"),
  email,
});

export type NotifySettings = z.infer<typeof notifySchema>;
export type MailSettings = NonNullable<NotifySettings["email"]>;
