import { expect, test } from "vitest";
import { readWhen } from "../../../src/checks/when/read-when.ts";
import { DAY_PARTS, MONTHS, WEEKDAYS } from "../../../src/checks/when/words-of-languages.ts";

const two = (number: number): string => String(number).padStart(2, "0");

/** `2026-05-03 18:30`, or the code of the problem. */
function read(cell: string): string {
  const when = readWhen(cell, undefined);
  if ("code" in when) return when.code;
  const { day, time } = when;
  return [
    ...(day === undefined ? [] : [`${day.year}-${two(day.month)}-${two(day.day)}`]),
    ...(time === undefined ? [] : [`${two(time.hour)}:${two(time.minute)}`]),
  ].join(" ");
}

test.each([
  ["3 maja 2026", "2026-05-03"],
  ["3 maja 2026 r.", "2026-05-03"],
  ["niedziela, 3 maja 2026", "2026-05-03"],
  ["sob. 2 maja 2026 godz. 18:00", "2026-05-02 18:00"],
  ["15 października 2026 o 18:00", "2026-10-15 18:00"],
  ["٣ مايو ٢٠٢٦", "2026-05-03"],
  ["الأحد، ٣ مايو ٢٠٢٦", "2026-05-03"],
  ["الأحد ٣ مايو ٢٠٢٦ ٩:٣٠ م", "2026-05-03 21:30"],
  ["3 كانون الثاني 2026", "2026-01-03"],
  ["٩:٣٠ ص", "09:30"],
  ["2026年5月3日(日)", "2026-05-03"],
  ["2026年5月3日（日）18時30分", "2026-05-03 18:30"],
  ["2026年5月3日18時", "2026-05-03 18:00"],
  ["２０２６年５月３日 午後6時半", "2026-05-03 18:30"],
  ["2026/05/03(日) 18:30", "2026-05-03 18:30"],
  ["午前9時05分", "09:05"],
])("%s is %s", (cell, meant) => {
  expect(read(cell)).toBe(meant);
});

test.each([
  ["2026年5月3日(月)", "schedule/weekday"],
  ["niedziela, 4 maja 2026", "schedule/weekday"],
  ["٠٣/٠٥/٢٠٢٦", "schedule/ambiguous-date"],
  ["5月3日", "schedule/format"],
  ["午後25時", "schedule/format"],
  ["08:00-09:00", "schedule/format"],
  ["08:00–09:00", "schedule/format"],
  ["18:00〜19:00", "schedule/format"],
  ["8-9am", "schedule/format"],
  ["8:00 to 9:00", "schedule/format"],
])("%s is refused", (cell, code) => {
  expect(read(cell)).toBe(code);
});

test.each(["08:00-09:00", "08:00–09:00", "18:00〜19:00", "8:00 to 9:00", "8 - 9am"])(
  "%s is a range, not a time",
  (cell) => {
    expect(readWhen(cell, undefined)).toMatchObject({ message: expect.stringMatching(/range/) });
  },
);

test.each([
  ["po 3. 3. 2036", "2036-03-03"],
  ["čt 6. března 2036", "2036-03-06"],
  ["3 mars 2036", "2036-03-03"],
  ["14 апреля 2036 г.", "schedule/format"],
  ["14 апреля 2036", "2036-04-14"],
  ["пн, 14 апреля 2036", "2036-04-14"],
  ["3. maaliskuuta 2036", "2036-03-03"],
  ["3 Μαρτίου 2036", "2036-03-03"],
  ["१४ मार्च २०३६", "2036-03-14"],
  ["২০৩৬-০৩-২৬", "2036-03-26"],
  ["2036년 3월 14일", "2036-03-14"],
  ["2036년 3월 14일 오후 6:30", "2036-03-14 18:30"],
  ["9:00 π.μ.", "09:00"],
  ["6:30 μ.μ.", "18:30"],
  ["下午3:05", "15:05"],
  ["中午12:00", "12:00"],
  ["6:30 petang", "18:30"],
  ["9:15 du matin", "09:15"],
  ["9 de la noche", "21:00"],
  ["1:30 nachts", "01:30"],
])("%s is %s", (cell, meant) => {
  expect(read(cell)).toBe(meant);
});

test.each([
  ["12 de la noche", "is midnight for people, and would be noon as pm"],
  ["11:30 mittags", "would be 23:30 as pm"],
  ["9:30 CH", "CH may be a country"],
  ["20:30 du matin", "is in the evening"],
])("%s is refused: it %s", (cell) => {
  expect(read(cell)).toBe("schedule/format");
});

test.each([MONTHS, WEEKDAYS, DAY_PARTS.map(([, , words]) => words)])(
  "no word means two of them",
  (...lists) => {
    const words = lists.flatMap((list) => list.split(", "));
    expect(words.length).toBeGreaterThan(200);
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  },
);
