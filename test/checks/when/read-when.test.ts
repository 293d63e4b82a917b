import { describe, expect, test } from "vitest";
import type { DateOrder } from "../../../src/model/fields.ts";
import { whenText } from "./when-text.ts";

const read = (text: string, order?: DateOrder): string => whenText(text, order);

describe("a day in every date order", () => {
  test.each([
    ["2027-03-01", "2027-03-01"],
    ["2027-3-1", "2027-03-01"],
    ["2027/03/01", "2027-03-01"],
    ["2027.3.1", "2027-03-01"],
    ["20270301", "2027-03-01"],
    ["2028-02-29", "2028-02-29"],
    ["5 January 2027", "2027-01-05"],
    ["5 JANUARY 2027", "2027-01-05"],
    ["05 Jan 2027", "2027-01-05"],
    ["5-Jan-2027", "2027-01-05"],
    ["5-Jan-27", "2027-01-05"],
    ["5/Jan/2027", "2027-01-05"],
    ["5.Jan.2027", "2027-01-05"],
    ["5Jan 2027", "2027-01-05"],
    ["5th January 2027", "2027-01-05"],
    ["the 1st of March, 2027", "2027-03-01"],
    ["22nd Feb 2027", "2027-02-22"],
    ["3rd April 2027", "2027-04-03"],
    ["Jan 05, 2026", "2026-01-05"],
    ["January 5, 2027", "2027-01-05"],
    ["January 5 2027", "2027-01-05"],
    ["January 5th, 2027", "2027-01-05"],
    ["Sept. 5, 2027", "2027-09-05"],
    ["Jan-05-2027", "2027-01-05"],
    ["Jan 5, 27", "2027-01-05"],
    ["Jan 5 '27", "2027-01-05"],
    ["2027 January 5", "2027-01-05"],
    ["2027-Jan-05", "2027-01-05"],
    ["Mon, 4 Jan 2027", "2027-01-04"],
    ["Monday 4 January 2027", "2027-01-04"],
    ["Monday, January 4, 2027", "2027-01-04"],
    ["4 January 2027 (Mon)", "2027-01-04"],
    ["2027-01-04, Monday", "2027-01-04"],
    ["Mon 2027-01-04", "2027-01-04"],
    ["1er mars 2027", "2027-03-01"],
    ["le 1er mars 2027", "2027-03-01"],
    ["lundi 1 mars 2027", "2027-03-01"],
    ["Lundi, le 1er mars 2027", "2027-03-01"],
    ["14 août 2027", "2027-08-14"],
    ["14 aout 2027", "2027-08-14"],
    ["5 févr. 2027", "2027-02-05"],
    ["5 juil. 2027", "2027-07-05"],
    ["31 déc. 2027", "2027-12-31"],
    ["5. Januar 2027", "2027-01-05"],
    ["5. Jänner 2027", "2027-01-05"],
    ["5.Januar 2027", "2027-01-05"],
    ["1. März 2027", "2027-03-01"],
    ["1. Maerz 2027", "2027-03-01"],
    ["Dienstag, den 5. Januar 2027", "2027-01-05"],
    ["Di., 5. Jan. 2027", "2027-01-05"],
    ["24. Dez. 2027", "2027-12-24"],
    ["5 de enero de 2027", "2027-01-05"],
    ["5 de enero del 2027", "2027-01-05"],
    ["martes, 5 de enero de 2027", "2027-01-05"],
    ["mar 5 ene 2027", "2027-01-05"],
    ["12 sept 2027", "2027-09-12"],
    ["12 de setiembre de 2027", "2027-09-12"],
    ["5 gennaio 2027", "2027-01-05"],
    ["1º maggio 2027", "2027-05-01"],
    ["martedì 5 gennaio 2027", "2027-01-05"],
    ["5 de janeiro de 2027", "2027-01-05"],
    ["1º de março de 2027", "2027-03-01"],
    ["terça-feira, 5 de janeiro de 2027", "2027-01-05"],
    ["5 out 2027", "2027-10-05"],
    ["5 januari 2027", "2027-01-05"],
    ["1 maart 2027", "2027-03-01"],
    ["5 mei 2027", "2027-05-05"],
    ["dinsdag 5 januari 2027", "2027-01-05"],
    ["mar 5, 2027", "2027-03-05"],
    ["19/9/2024", "2024-09-19"],
    ["5/5/2027", "2027-05-05"],
    ["05.05.2027", "2027-05-05"],
    ["25.12.2027", "2027-12-25"],
    ["25. 12. 2027", "2027-12-25"],
    ["25 / 12 / 2027", "2027-12-25"],
    ["25-12-2027", "2027-12-25"],
    ["9/19/24", "2024-09-19"],
    ["1/23/26", "2026-01-23"],
    ["12/31/2027", "2027-12-31"],
    ["“2027-03-01”", "2027-03-01"],
    ["'2027-03-01", "2027-03-01"],
    ["\u200b2027-03-01\ufeff", "2027-03-01"],
    ["5\u00a0January\u202f2027", "2027-01-05"],
    ["5  January   2027", "2027-01-05"],
  ])("reads %j", (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe("a time of day", () => {
  test.each([
    ["09:30", "09:30:00"],
    ["9:30", "09:30:00"],
    ["09:30:15", "09:30:15"],
    ["09:30:15.250", "09:30:15"],
    ["00:00", "00:00:00"],
    ["23:59", "23:59:00"],
    ["7:00 pm", "19:00:00"],
    ["7:00pm", "19:00:00"],
    ["7:00 PM", "19:00:00"],
    ["7:00 p.m.", "19:00:00"],
    ["7 p. m.", "19:00:00"],
    ["7 a.m", "07:00:00"],
    ["7:00\u202fPM", "19:00:00"],
    ["7pm", "19:00:00"],
    ["7 am", "07:00:00"],
    ["7.30pm", "19:30:00"],
    ["12 am", "00:00:00"],
    ["12:00 AM", "00:00:00"],
    ["12:30 am", "00:30:00"],
    ["12 pm", "12:00:00"],
    ["12:30 PM", "12:30:00"],
    ["11:59:59 pm", "23:59:59"],
    ["noon", "12:00:00"],
    ["12 noon", "12:00:00"],
    ["20h30", "20:30:00"],
    ["9u30", "09:30:00"],
    ["20H30", "20:30:00"],
    ["20 h 30", "20:30:00"],
    ["20h", "20:00:00"],
    ["8h05", "08:05:00"],
    ["20:30 h", "20:30:00"],
    ["20:30 hrs", "20:30:00"],
    ["20:30 Uhr", "20:30:00"],
    ["20.30 Uhr", "20:30:00"],
    ["20 Uhr", "20:00:00"],
    ["20 Uhr 15", "20:15:00"],
    ["20.30 uur", "20:30:00"],
    ["09:30Z", "09:30:00 +0"],
    ["09:30+01:00", "09:30:00 +60"],
    ["09:30:00-05:00", "09:30:00 -300"],
    ["15:00 UTC", "15:00:00 +0"],
    ["9:30 PM (GMT+1)", "21:30:00 +60"],
    ["15:00 UTC-03:30", "15:00:00 -210"],
  ])("reads %j", (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe("a day and a time", () => {
  test.each([
    ["2027-03-01 09:30", "2027-03-01 09:30:00"],
    ["2027-03-01T09:30", "2027-03-01 09:30:00"],
    ["2027-03-01t09:30:15", "2027-03-01 09:30:15"],
    ["2027-03-01T09:30:00Z", "2027-03-01 09:30:00 +0"],
    ["2027-03-01T09:30:00.000Z", "2027-03-01 09:30:00 +0"],
    ["2027-03-01T09:30-05:00", "2027-03-01 09:30:00 -300"],
    ["2027-03-01 09:30:00-05:00", "2027-03-01 09:30:00 -300"],
    ["2027-03-01 09:30:00 +0545", "2027-03-01 09:30:00 +345"],
    ["2027-03-01 09:30 +01:00", "2027-03-01 09:30:00 +60"],
    ["20270301T093000Z", "2027-03-01 09:30:00 +0"],
    ["20270301T0930+0100", "2027-03-01 09:30:00 +60"],
    ["2026-04-21 7:00 pm", "2026-04-21 19:00:00"],
    ["Jan 05, 2026 3:30 PM", "2026-01-05 15:30:00"],
    ["January 5, 2027 at 9am", "2027-01-05 09:00:00"],
    ["January 5, 2027, at 9am", "2027-01-05 09:00:00"],
    ["5 Jan 2027 @ 9:30 am", "2027-01-05 09:30:00"],
    ["5 Jan 2027, 9:30 am", "2027-01-05 09:30:00"],
    ["5 Jan 2027\n 9:30 am", "2027-01-05 09:30:00"],
    ["5 Jan 2027 - 9:30", "2027-01-05 09:30:00"],
    ["Mon, 4 Jan 2027 09:30", "2027-01-04 09:30:00"],
    ["1er mars 2027 à 20h30", "2027-03-01 20:30:00"],
    ["5. Januar 2027 um 20:30 Uhr", "2027-01-05 20:30:00"],
    ["5. Januar 2027, 20 Uhr", "2027-01-05 20:00:00"],
    ["5 de enero de 2027 a las 8:30 p. m.", "2027-01-05 20:30:00"],
    ["5 gennaio 2027 alle ore 20:30", "2027-01-05 20:30:00"],
    ["5 de janeiro de 2027 às 20h30", "2027-01-05 20:30:00"],
    ["5 januari 2027 om 20:30 uur", "2027-01-05 20:30:00"],
    ["1/23/26 17:30", "2026-01-23 17:30:00"],
    ["19/9/2024 10:00", "2024-09-19 10:00:00"],
    ["25.12.2027 noon", "2027-12-25 12:00:00"],
  ])("reads %j", (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe("a day in numbers", () => {
  test.each<[string, Partial<Record<DateOrder, string>>]>([
    ["3/4/2027", { dmy: "2027-04-03", mdy: "2027-03-04" }],
    ["05.01.2027", { dmy: "2027-01-05", mdy: "2027-05-01" }],
    ["05-01-2027", { dmy: "2027-01-05", mdy: "2027-05-01" }],
    ["3/4/27", { dmy: "2027-04-03", mdy: "2027-03-04" }],
    ["03/04/27", { dmy: "2027-04-03", mdy: "2027-03-04", ymd: "2003-04-27" }],
    ["19/9/24", { dmy: "2024-09-19", ymd: "2019-09-24" }],
    ["24-09-19", { dmy: "2019-09-24", ymd: "2024-09-19" }],
    ["05-Jan-27", { dmy: "2027-01-05", mdy: "2027-01-05", ymd: "2005-01-27" }],
    ["32/09/19", { ymd: "2032-09-19" }],
    ["32-Sep-19", { ymd: "2032-09-19" }],
  ])("reads %j by the date order", (text, expected) => {
    expect(read(text)).toBe("schedule/ambiguous-date");
    for (const order of ["dmy", "mdy", "ymd"] as const) {
      const known = expected[order];
      if (known === undefined)
        expect([order, read(text, order)]).toEqual([order, expect.stringMatching(/^schedule\//)]);
      else expect([order, read(text, order)]).toEqual([order, known]);
      const both = known === undefined ? expect.stringMatching(/^schedule\//) : `${known} 15:30:00`;
      expect(read(`${text} 3:30 pm`, order)).toEqual(both);
    }
  });

  test.each<[string, DateOrder]>([
    ["19/9/2024", "mdy"],
    ["9/19/2024", "dmy"],
    ["25.12.2027 10:00", "mdy"],
    ["9/19/24", "ymd"],
    ["12/31/27", "dmy"],
    ["19/9/2024", "ymd"],
  ])("refuses %j with the date order %s", (text, order) => {
    expect(read(text, order)).toBe("schedule/date-order");
  });

  test("names the possible meanings, and the setting that chooses a meaning", () => {
    expect(whenText("3/4/2027", undefined, "message")).toBe(
      '"3/4/2027" could be 3 April 2027 or 4 March 2027. Set `date_order:` in plancast.yaml to the order that you use: dmy or mdy.',
    );
    expect(whenText("19/9/2024", "mdy", "message")).toContain("19 September 2024");
  });
});

describe("refuses", () => {
  test.each([
    ["2027-02-30", "is not a real date"],
    ["30 February 2027", "is not a real date"],
    ["29.02.2027", "is not a real date"],
    ["31/4/2027", "is not a real date"],
    ["13/13/2027", "is not a real date"],
    ["0/1/2027", "is not a real date"],
    ["2027-13-01", "is not a real date"],
    ["2027-00-10", "is not a real date"],
    ["5 January 1969", "is not a real date"],
    ["5/1/98", "four digits"],
    ["Jan 5, 98", "four digits"],
    ["24:00", "00:00 of the next day"],
    ["2027-03-01 24:00", "00:00 of the next day"],
    ["25:00", "is not a time of day"],
    ["10:60", "is not a time of day"],
    ["23:59:60", "is not a time of day"],
    ["13:00 pm", ""],
    ["0:30 am", ""],
    ["midnight", ""],
    ["Jun 8–14", "looks like a range"],
    ["Jun 8-14", "looks like a range"],
    ["8-14 June 2027", "looks like a range"],
    ["8–14 June 2027", "looks like a range"],
    ["Jan 5-27", "looks like a range"],
    ["June 8 - June 14", "looks like a range"],
    ["8 to 14 June 2027", "looks like a range"],
    ["5.1.2027 - 7.1.2027", "looks like a range"],
    ["5.1.2027-7.1.2027", "looks like a range"],
    ["2027-03-01 – 2027-03-05", "looks like a range"],
    ["du 1er au 5 mars 2027", ""],
    ["10:00-12:00", "could be a time range"],
    ["10:00 - 12:00", "looks like a range"],
    ["10:00–12:00", "looks like a range"],
    ["9am-11am", "looks like a range"],
    ["9-11", "no year"],
    ["2027-03-01 10:00-12:00", "could be a time range"],
    ["2027-03-01 10:00 - 12:00", "looks like a range"],
    ["TBD", "is not a date"],
    ["tbc.", "is not a date"],
    ["?", "is not a date"],
    ["-", "is not a date"],
    ["N/A", "is not a date"],
    ["à définir", "is not a date"],
    ["T-2 Mon", "depends on another day"],
    ["T+3", "depends on another day"],
    ["D-7", "depends on another day"],
    ["now", "not a fixed day"],
    ["queue next", "not a fixed day"],
    ["tomorrow 9am", "not a fixed day"],
    ["next Monday", "not a fixed day"],
    ["every Tuesday", "not a fixed day"],
    ["demain", "not a fixed day"],
    ["heute", "not a fixed day"],
    ["46000", "number for a day"],
    ["46000.354", "number for a day"],
    ["46000,354", "number for a day"],
    ["0.854166", "number for a time of day"],
    ["0,5", "number for a time of day"],
    [".75", "number for a time of day"],
    ["1803802200", "number of seconds"],
    ["1803802200000", "number of seconds"],
    ["0930", "time or a year"],
    ["2027", "time or a year"],
    ["900", "time or a year"],
    ["20.30", "a time, or a day"],
    ["Week 12", "not a single day"],
    ["KW 12", "not a single day"],
    ["2027-W10-1", "not a single day"],
    ["Q1 2027", "not a single day"],
    ["Monday", "day of the week"],
    ["lundi", "day of the week"],
    ["19/9", "no year"],
    ["5 January", "no year"],
    ["Jan 5", "no year"],
    ["Mon, 4 Jan", "no year"],
    ["1er mars", "no year"],
    ["5. Januar", "no year"],
    ["Jan 5 9am", ""],
    ["January 2027", "no day"],
    ["March", "no day"],
    ["03/2027", "no day"],
    ["2027-03", "no day"],
    ["3:30 PM EST", "time zone"],
    ["15:00 CET", "time zone"],
    ["15:00 GMT", "time zone"],
    ["2036-03-03 → 2036-03-05", "range"],
    ["2027-03-01 15:00 Europe/Paris", "time zone"],
    ["2027-03-01 15:00 (Paris time)", "time zone"],
    ["2027-03-01T15:00:00 CEST", "time zone"],
    ["3 pm PST", "time zone"],
    ["2027-03-01T08:00:00+25:00", "not a date or time"],
    ["2027–03–01", ""],
    ["01/03-2027", ""],
    ["1/2/2027/3", ""],
    ["123/4/2027", ""],
    ["3/4/027", ""],
    ["3/4/20277", ""],
    ["5 Janvember 2027", "not a date or time"],
    ["5 jui 2027", "not a date or time"],
    ["05 01 2027", "not a date or time"],
    ["posted", "not a date or time"],
    ["Hello there", "not a date or time"],
    ["2027-03-01 2027-03-02", ""],
    ["9:30 2027-03-01", ""],
    ["constructor", "not a date or time"],
  ])("%j with the reason: %s", (text, reason) => {
    expect(read(text)).toBe("schedule/format");
    const message = whenText(text, undefined, "message");
    expect(message.startsWith(`"${text}" `)).toBe(true);
    expect(message).toContain(reason);
    expect(message).toMatch(/(Write|Fill|Put|Format|write|Correct) /);
    expect(message).not.toContain("\n\n");
    for (const order of ["dmy", "mdy", "ymd"] as const) expect(read(text, order)).toMatch(/^schedule\//);
  });

  test.each([
    ["Tue, 4 Jan 2027"],
    ["mardi 4 janvier 2027"],
    ["4.1.2027 (Di)"],
    ["Sunday, January 4, 2027 9am"],
  ])("%j, which names another day of the week", (text) => {
    expect(read(text, "dmy")).toBe("schedule/weekday");
    expect(whenText(text, "dmy", "message")).toContain("is a Monday");
  });

  test("a very long text, and shows part of it", () => {
    const book = "1 Jan, ".repeat(100_000);
    expect(read(book)).toBe("schedule/format");
    expect(whenText(book, undefined, "message").length).toBeLessThan(300);
  });

  test("to choose a reading by the day of the week", () => {
    expect(read("Fri 05/01/2026")).toBe("schedule/ambiguous-date");
    expect(read("Fri 05/01/2026", "mdy")).toBe("2026-05-01");
    expect(read("Fri 05/01/2026", "dmy")).toBe("schedule/weekday");
  });
});
