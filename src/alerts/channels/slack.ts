/** An incoming webhook of Slack. */

import { slackText } from "../../networks/webhook.ts";
import { newsText } from "../core/message.ts";
import type { WebForm } from "./web-channel.ts";

/** Source: Slack's "Formatting text": longer messages are split, in UTF-16 units. */
const MAX_LENGTH = 4_000;

export const slack: WebForm = {
  title: "Slack",
  body: (project, news) => ({ text: slackText(newsText(project, news, MAX_LENGTH)) }),
};
