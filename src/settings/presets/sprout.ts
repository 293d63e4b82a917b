import type { Preset } from "./preset.ts";

export const sprout: Preset = {
  title: "Sprout Social",
  header: ["date", "time_24hr", "message_text", "public_image_url"],
  marks: { names: ["date", "time_24hr", "message_text"] },
  settings: {
    columns: {
      date: "date",
      time_24hr: "time",
      message_text: "content",
      public_image_url: "media",
      "tag*": "not_carried",
    },
  },
  times: { form: "`01/03/2027` or `03/01/2027`, and `09:30`", zone: "account", isOrderOpen: true },
  notes: ["Sprout asks for the order of dates when you upload a file. In plancast, set `date_order:`."],
  sources: ["https://support.sproutsocial.com/hc/en-us/articles/115005864203-How-do-I-use-bulk-scheduling"],
  checked: "2026-11",
};
