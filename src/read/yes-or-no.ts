const YES = new Set(
  "true,yes,y,x,1,on,ok,✓,✔,☑,✅,oui,vrai,ja,wahr,si,sí,sì,verdadero,vero,sim,verdadeiro,waar".split(","),
);
const NO = new Set("false,no,n,0,off,-,–,✗,✘,☐,❌,non,faux,nein,falsch,falso,não,nao,nee,onwaar".split(","));

/** Whether a cell says yes or no, as spreadsheets and people write it; undefined where it says neither. */
export function yesOrNo(text: string): boolean | undefined {
  const word = text.trim().toLowerCase().normalize("NFC");
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}
