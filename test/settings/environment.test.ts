import { expect, test } from "vitest";
import { ciVariable, isCi } from "../../src/settings/environment.ts";

test.each([
  [undefined, false],
  ["", false],
  ["false", false],
  ["FALSE", false],
  ["true", true],
  ["1", true],
  ["0", true],
  ["woodpecker", true],
])("CI=%s is CI: %s", (value, expected) => {
  expect(isCi({ CI: value })).toBe(expected);
});

test.each([
  ["Azure Pipelines", { TF_BUILD: "True" }, "TF_BUILD"],
  ["Jenkins", { JENKINS_URL: "https://ci.example/", BUILD_NUMBER: "7" }, "JENKINS_URL"],
  ["Jenkins without an address", { BUILD_NUMBER: "7", BUILD_ID: "7" }, "BUILD_NUMBER"],
  ["TeamCity", { TEAMCITY_VERSION: "2026.1", BUILD_NUMBER: "7" }, "BUILD_NUMBER"],
  ["CodeBuild", { CODEBUILD_BUILD_ID: "acme:1" }, "CODEBUILD_BUILD_ID"],
  ["Bamboo", { bamboo_buildKey: "ACME-1" }, "bamboo_buildKey"],
  ["GitHub without CI", { CI: "", GITHUB_ACTIONS: "true" }, "GITHUB_ACTIONS"],
  ["a machine that says it is none", { CI: "false", TF_BUILD: "True" }, undefined],
  ["a desk", { TERM: "xterm", TF_BUILD: "", GITHUB_ACTIONS: "false" }, undefined],
])("CI is detected on %s", (_where, env, variable) => {
  expect([ciVariable(env), isCi(env)]).toEqual([variable, variable !== undefined]);
});
