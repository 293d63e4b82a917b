import type { Preset } from "./preset.ts";

export const vista: Preset = {
  title: "Vista Social",
  header: ["message", "type", "link", "time"],
  marks: { names: ["message", "type", "link", "time"] },
  settings: {
    carousel_rows: "join",
    columns: {
      message: "content",
      type: "type",
      link: "media",
      time: "scheduled_at",
      comment1: "first_comment",
      "comment*": "not_carried",
      like: "not_carried",
      title: "not_carried",
      description: "not_carried",
      "*_publish_as": "not_carried",
      share_to_feed: "not_carried",
      board: "not_carried",
      section: "not_carried",
      subreddit: "not_carried",
    },
    // Here, a message is a post without a picture.
    values: { type: { message: "text" } },
  },
  times: { form: "`2027-03-01 7:00 pm` or `2027-03-01 19:00`", zone: "account" },
  notes: [
    "A carousel is a group of consecutive rows with the same `message` and `time`. plancast makes one post with all their media, in the same order. The post belongs to the first row, so another picture changes the post and does not create a new one. If their `type` differs, that is an error.",
    "`link` is a picture or video. plancast refuses an `article`, because the service has no field for its link: put the link into the text, and change its `type` to `message`.",
    "`now`, `queue next` and `queue last` are errors: write the day and the time.",
  ],
  sources: [
    "https://support.vistasocial.com/hc/en-us/articles/10295276622875-Bulk-Scheduling-CSV-format-explained",
  ],
  checked: "2026-11",
};
