/** A webhook of Discord. */

import { discordMessage } from "../../networks/webhook.ts";
import { newsText } from "../core/message.ts";
import type { WebForm } from "./web-channel.ts";

/** Source: Discord's "Execute Webhook", in UTF-16 units. */
const MAX_LENGTH = 2_000;

export const discord: WebForm = {
  title: "Discord",
  body: (project, news) => discordMessage(newsText(project, news, MAX_LENGTH)),
};
