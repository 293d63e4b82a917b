import { expect, test } from "vitest";
import { readYaml } from "../../src/read/yaml.ts";

test.each([
  ["- content: Look #spring is here\n", 1],
  ["- {content: Look #spring\n  }\n", 1],
  ["- content: Look # a comment\n", 0],
  ['- content: "Look #spring"\n', 0],
  ["- content: 'Look' #spring\n", 0],
  ["- content: |\n    Look #spring\n", 0],
  ["- content: Look#spring\n", 0],
  ["- content: Look\n  id: a #spring\n", 0],
])("%j", (text, count) => {
  expect(readYaml("a.yaml", text).problems.filter(({ code }) => code === "yaml/lost-hashtag").length).toBe(
    count,
  );
});
