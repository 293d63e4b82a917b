import { expect, test } from "vitest";
import { hintFor } from "../../../src/calendars/columns/hints.ts";

const hintOf = (name: string, ...texts: readonly string[]) => {
  const counted = [...new Set(texts)].map((text) => ({
    text,
    rows: texts.filter((each) => each === text).length,
  }));
  const examples = counted.slice(0, 3).map(({ text }) => text);
  return hintFor({ name, filled: texts.length, examples, values: counted });
};

test.each([
  // A few words or signs that repeat may decide which rows are published, in any language.
  ["Durum", ["Onaylandı", "Taslak", "ONAYLANDI", "Onaylandı", "İptal"]],
  ["Semafor", ["🟢", "🟡", "🟢", "🔴"]],
  ["Seen by", ["Public", "Public", "Unlisted", "Private"]],
])("%s: is asked about, and decides", (name, cells) => {
  expect(hintOf(name, ...cells)).toMatchObject({
    decides: true,
    question: "Does it say which rows are published?",
  });
});

test.each([
  // `na` in the column of a network is a mark, as yes and no are.
  ["IG", ["yes", "na", "no"], "platforms:instagram"],
  ["Go live", ["2036-03-03 00:00", "2036-03-05 00:00"], "date"],
  ["At", ["9 am", "half past six", "noon"], "time"],
  ["Created time", ["January 5, 2036 10:12 AM", "January 6, 2036 4:00 PM"], "ignore"],
  ["Labels", ["Facebook (blue),Instagram (pink)", "Instagram (pink)"], "platforms"],
  // Options of networks.
  ["Visibility", ["Public", "Public", "Unlisted", "Private"], "all.visibility"],
  ["Video title", ["Spring in our garden", "Four orchids"], "youtube.title"],
  ["Pinterest Board", ["Garden", "Flowers"], "pinterest.board"],
  ["Collab", ["@acme", "@garden"], "instagram.collaborators"],
  ["CW", ["food", "food, alcohol"], "mastodon.content_warning"],
  ["Language", ["de", "en", "DE"], "all.language"],
  ["Wiederholung", ["wöchentlich am Montag", "nein"], "repeat"],
  // An address is not the name of a network.
  ["Foilsithe (nasc)", ["https://fb.example/1", "https://fb.example/2"], "status"],
  ["Facebook", ["Evet", "Hayır", "Evet", "Evet"], "platforms:facebook"],
  ["LinkedIn", ["Approved", "Draft", "n/a"], "status:linkedin"],
  ["Choice B", ["Autumn"], "poll"],
  ["content_file", ["texts/launch.md", "texts/changelog.md"], "ignore"],
])("%s with %j may be %s", (name, cells, target) => {
  expect(hintOf(name, ...cells)?.target).toBe(target);
});

test("a name of two letters is not a misspelt field", () => {
  expect(hintOf("At", "Berlin", "Rome, Piazza Navona")?.target).not.toBe("alt");
});

test("a calendar week is not a content warning", () => {
  expect(hintOf("CW", "12", "13", "CW 14")?.target).not.toBe("mastodon.content_warning");
});
