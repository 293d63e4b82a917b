/** Opens the channels of `notify:`. To add one, write its file in channels/ and add a line here. */

import type { NotifySettings } from "../settings/notify.ts";
import type { Channel } from "./channels/channel.ts";
import { discord } from "./channels/discord.ts";
import { openEmail } from "./channels/email.ts";
import { slack } from "./channels/slack.ts";
import { type ChannelOptions, openWebChannel } from "./channels/web-channel.ts";
import { webhook } from "./channels/webhook.ts";

const WEB_FORMS = { slack, discord, webhook } as const;

/** Opens one channel. Throws a Failure if its secret is missing. */
interface ChannelOpener {
  readonly name: string;
  readonly open: () => Promise<Channel>;
}

/** In the order of plancast.yaml. */
export function channelsOf(settings: NotifySettings, options: ChannelOptions): readonly ChannelOpener[] {
  const { email } = settings;
  const web = (["slack", "discord", "webhook"] as const).flatMap((name) => {
    const own = settings[name];
    return own === undefined ? [] : { name, open: () => openWebChannel(name, WEB_FORMS[name], own, options) };
  });
  return email === undefined ? web : [...web, { name: "email", open: () => openEmail(email, options) }];
}
