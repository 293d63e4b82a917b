/** Rules about polls. */

import { durationMs } from "../../model/clock.ts";
import { mediaByText } from "../../model/extras.ts";
import type { Limits } from "../../settings/limits.ts";
import { countText } from "./count-text.ts";
import { type CheckedPost, type Finding, type Rule, NO_FINDINGS } from "./rule.ts";

/** How long a poll may run. Source: Mastodon's `PollExpirationValidator`; servers do not change it. */
const SHORTEST = "5m";
const LONGEST = "30d";

export const pollFits: Rule = {
  code: "content/poll",
  severity: "error",
  rule: "A post has a poll only where the network has polls, and as the network accepts them.",
  cause:
    "The network has no polls, or plancast does not publish there itself. Or the poll has too many or too long choices.",
  fix: "Give each network a row of its own, and change the poll as the message says.",
  of: "platform",
  check: (post, { title, limits, account }) => {
    if (post.poll === undefined || account === undefined) return NO_FINDINGS;
    if (account.hasPolls === undefined) {
      const message = `The post has a poll, and plancast cannot publish polls on ${title}. Give ${title} a row of its own.`;
      return [{ message, field: "poll" }];
    }
    return pollFaults(post, limits).map((message): Finding => ({
      message: message.replaceAll("{network}", title),
      field: "poll",
    }));
  },
};

/** What a network refuses about a poll. `{network}` becomes its name. */
function pollFaults(
  { poll = [], poll_length: length = SHORTEST, content, media = [], thread_media }: CheckedPost,
  { poll_choices: most, poll_choice: longest }: Limits,
): readonly string[] {
  const [own = []] = mediaByText(media, { thread_media });
  const long = poll.find((choice) => longest !== undefined && countText(choice, "graphemes") > longest);
  return [
    ...(most !== undefined && poll.length > most
      ? [
          `The poll has ${poll.length} choices, but {network} accepts only ${most}. Remove ${poll.length - most}.`,
        ]
      : []),
    ...(long === undefined
      ? []
      : [`The choice "${long}" is longer than the ${longest} characters that {network} allows. Shorten it.`]),
    ...(durationMs(length) < durationMs(SHORTEST) || durationMs(length) > durationMs(LONGEST)
      ? [`The poll runs for ${length}, but {network} accepts ${SHORTEST} to ${LONGEST}. Change poll_length.`]
      : []),
    ...(own.length > 0
      ? ["{network} accepts no pictures and videos in a post with a poll. Move them to another row."]
      : []),
    ...(content === ""
      ? ["A post with a poll needs a text on {network}. Write the question into content."]
      : []),
  ];
}
