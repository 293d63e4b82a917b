/** Months and days of the week as people write them: English, French, German, Spanish, Italian, Portuguese, Dutch. */

/** From January on. No word here means two months in any of the languages; `jui` would, so it is left out. */
const MONTHS: readonly string[] = [
  "january jan janvier janv januar jänner jaen enero ene gennaio gen genn janeiro januari",
  "february feb febr fev février févr fevr februar febrero febbraio febb fevereiro februari",
  "march mar mars märz maerz mär mrz marzo março maart mrt",
  "april apr avril avr abril abr aprile",
  "may mai mayo maggio mag maio mei",
  "june jun juin juni junio giugno giu junho",
  "july jul juillet juil juill juli julio luglio lug julho",
  "august aug août aout agosto ago augustus",
  "september sep sept septembre septiembre setiembre set settembre sett setembro",
  "october oct octobre oktober okt octubre ottobre ott outubro out",
  "november nov novembre noviembre novembro",
  "december dec décembre déc dezember dez diciembre dic dicembre dezembro",
];

/** From Monday on. */
const WEEKDAYS: readonly string[] = [
  "monday mon lundi lun montag mo lunes lunedì segunda seg maandag ma",
  "tuesday tue tues mardi mar dienstag di martes martedì terça ter dinsdag",
  "wednesday wed weds mercredi mer mittwoch mi miércoles mié mercoledì quarta qua woensdag wo",
  "thursday thu thur thurs jeudi jeu donnerstag do jueves jue giovedì gio quinta qui donderdag",
  "friday fri vendredi ven freitag fr viernes vie venerdì sexta sex vrijdag vr",
  "saturday sat samedi sam samstag sonnabend sa sábado sáb sabato zaterdag za",
  "sunday sun dimanche dim sonntag so domingo dom domenica zondag zo",
];

export const ENGLISH_MONTHS: readonly string[] = MONTHS.map((words) => capital(words.split(" ")[0] ?? ""));
export const ENGLISH_WEEKDAYS: readonly string[] = WEEKDAYS.map((words) =>
  capital(words.split(" ")[0] ?? ""),
);

const MONTH_NUMBERS = numbers(MONTHS);
const WEEKDAY_NUMBERS = numbers(WEEKDAYS);

/** The month that a word names, from 1; case, accents and a dot at the end do not count. */
export function monthNamed(word: string): number | undefined {
  return MONTH_NUMBERS.get(folded(word));
}

/** The day of the week that a word names: 1 is Monday, 7 is Sunday. */
export function weekdayNamed(word: string): number | undefined {
  return WEEKDAY_NUMBERS.get(folded(word).replace(/-?feira$/, ""));
}

function numbers(lists: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    lists.flatMap((words, index) =>
      words.split(" ").map((word): [string, number] => [folded(word), index + 1]),
    ),
  );
}

function folded(word: string): string {
  return word.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replace(/\.$/, "");
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
