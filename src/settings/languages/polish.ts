import type { Language } from "./language.ts";

export const polish: Language = {
  code: "pl",
  name: "Polish",
  columns: {
    id: "identyfikator, id posta, id wpisu",
    scheduled_at: "data i godzina, data godzina, data i godzina publikacji, termin publikacji",
    date: "data, data publikacji, dzień publikacji, data posta, data wpisu",
    time: "godzina, godzina publikacji, czas publikacji, pora publikacji",
    timezone: "strefa czasowa",
    expires: "wygasa, data wygaśnięcia, nie publikować po",
    platforms:
      "platforma, platformy, kanał, kanały, sieć społecznościowa, sieci społecznościowe, serwis społecznościowy, " +
      "serwisy społecznościowe",
    content:
      "treść, treść posta, treść wpisu, treść publikacji, tekst, tekst posta, tekst wpisu, wiadomość, podpis, " +
      "opis posta, treść główna, tekst główny",
    media:
      "zdjęcie, zdjęcia, obraz, obrazy, obrazek, obrazki, film, filmy, wideo, plik, pliki, link do zdjęcia, " +
      "link do grafiki, adres zdjęcia, url zdjęcia",
    alt: "tekst alternatywny, teksty alternatywne, opis alternatywny",
    reply_to: "odpowiedź na",
    first_comment: "pierwszy komentarz",
    campaign: "kampania, nazwa kampanii, kampania marketingowa",
    status: "stan, status posta, status publikacji",
    type: "typ, typ posta, rodzaj posta, typ treści",
  },
  hints: {
    expires: "ważne do, termin ważności, data końcowa",
    platforms: "media społecznościowe, serwis",
    content: "wpis, opis, publikacja, pomysł, temat, pomysł na post",
    media: "grafika, grafiki, załącznik, załączniki, kreacja",
    alt: "opis zdjęcia, opis obrazu",
    type: "rodzaj, forma",
    repeat: "powtarzanie, powtórzenie, powtarzaj",
    "content+": "odnośnik, link docelowy, haczyk, zaczepka, nagłówek, wstęp, wezwanie do działania",
    accounts:
      "konto, konta, nazwa konta, profil, marka, klient, strona, nazwa strony, firma, sklep, oddział, " +
      "marka klienta, rynek, rynki, język, języki, kraj, region",
    approver: "zatwierdzone przez, zatwierdził, zaakceptowane przez",
    state:
      "publik*, zatwierdz*, akcept*, gotow*, zrobion*, finalne, sprawdzone, wgrane, wstrzymane, decyzja, " +
      "uwagi klienta, opublikowane, zaplanowane, wysłane, korekta, zablokowane, usuń, usunąć, anuluj",
    ignore:
      "filar, tematyka, kategoria, cel, grupa docelowa, odbiorcy, odpowiedzialny, osoba odpowiedzialna, autor, " +
      "grafik, zespół, notatka, notatki, uwagi, komentarz, komentarze, tydzień, dzień, dzień tygodnia, miesiąc, " +
      "kwartał, numer, lp, okazja, produkt, ton, priorytet, projekt, źródło, fotograf",
  },
  questions: {
    ready:
      "publikować?, opublikować?, do publikacji, zatwierdzone, zatwierdzony, zatwierdzenie, zaakceptowane, " +
      "zaakceptowany, akceptacja, akceptacja klienta, gotowe do publikacji",
    skip:
      "opublikowane, opublikowano, opublikowany, już opublikowane, zaplanowane?, anulowane, odwołane, " +
      "zarchiwizowane",
    draft: "szkic",
  },
  hashtags: "hasztagi, hasztag, hashtagi",
  status: {
    ready:
      "gotowe, gotowy, gotowa, gotowe do publikacji, do publikacji, zatwierdzone, zatwierdzony, zatwierdzona, " +
      "zaakceptowane, zaakceptowany, zaakceptowana, potwierdzone, potwierdzony",
    draft:
      "szkic, wersja robocza, robocze, roboczy, w trakcie, w toku, w przygotowaniu, pomysł, do akceptacji, " +
      "oczekuje na akceptację, do zatwierdzenia, do sprawdzenia, do poprawy, do napisania, do zrobienia, " +
      "w akceptacji, wstrzymane, wstrzymany, przełożone, niezatwierdzone",
    skip:
      "opublikowane, opublikowany, opublikowana, opublikowano, już opublikowane, wysłane, wysłany, anulowane, " +
      "anulowany, anulowana, odrzucone, odrzucony, odwołane, zarchiwizowane, usunięte",
    unclear: "zaplanowane, zaplanowany, zaplanowana, zaplanowano, oczekuje",
    stop: "stop, zatrzymać, zatrzymane",
  },
  holds:
    "nie publikować, nie publikuj, nie publikujcie, nie publikujemy, nie postować, nie wrzucać, nie wrzucaj, " +
    "nie puszczać, nie zatwierdzone, nie zatwierdzony, niezatwierdzone, wstrzymać, wstrzymane, wstrzymany, " +
    "wstrzymujemy, post odwołany, anulować post",
  yes: "tak, prawda",
  no: "nie, fałsz",
  nothing: "brak, nie dotyczy",
  and: "i, oraz",
  totals: "razem, suma, łącznie",
  placeholders: {
    whole:
      "do uzupełnienia, do ustalenia, do potwierdzenia, do napisania, do zrobienia, do wpisania, do określenia, " +
      "wersja robocza, tekst zastępczy, bez tekstu, brak tekstu, brak opisu, jak wyżej, j. w., tekst tutaj",
    start: "wersja robocza, odwołane, nie publikować",
  },
  dateParts: {
    day: "d, dd, dzień",
    month: "m, mm, miesiąc",
    year: "rr, rrrr, rok",
  },
};
