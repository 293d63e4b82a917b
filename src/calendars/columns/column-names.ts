/** The meaning of a column's name: names that people and other schedulers use, in seven languages. */

import { type Language, LANGUAGES } from "../../model/columns.ts";
import { type Field, FIELDS } from "../../model/fields.ts";

/** The field that a common name means. */
interface Meaning {
  readonly field: Field;
  /** Vague names often mean something else. */
  readonly isVague: boolean;
  /** The languages in which it is a name of the field. */
  readonly languages: readonly Language[];
}

/** Built at the first lookup of an unknown name, because many calendars use only the fields' own names. */
let made: ReadonlyMap<string, Meaning> | undefined;

function meanings(): ReadonlyMap<string, Meaning> {
  made ??= allMeanings();
  return made;
}

function allMeanings(): Map<string, Meaning> {
  const found = new Map<string, Meaning>();
  for (const field of FIELDS) {
    const { clear, vague = {} } = NAMES[field];
    const all = [
      { name: field, language: "en", isVague: false } as const,
      ...namesIn(clear).map((each) => ({ ...each, isVague: false })),
      ...namesIn(vague).map((each) => ({ ...each, isVague: true })),
    ];
    for (const { name, language, isVague } of all) {
      const others = found.get(looseName(name))?.languages ?? [];
      const languages = others.includes(language) ? others : [...others, language];
      found.set(looseName(name), { field, isVague, languages });
    }
  }
  return found;
}

function namesIn(names: Names): { readonly name: string; readonly language: Language }[] {
  return LANGUAGES.flatMap((language) =>
    (names[language]?.split(", ") ?? []).map((name) => ({ name, language })),
  );
}

/** A numbered column, such as `Picture Url 3`. Only media columns are numbered. */
const NUMBERED = /^(.*\p{L})\d{1,2}$/u;

/** The field that a common name means. Not for the field's own name. */
export function meaningOf(name: string): Meaning | undefined {
  const loose = looseName(name);
  const known = meanings().get(loose);
  if (known !== undefined) return known;
  const numbered = meanings().get(NUMBERED.exec(loose)?.[1] ?? "");
  return numbered?.field === "media" ? numbered : undefined;
}

/**
 * Whether a column of this name probably says which rows somebody has approved. It is only suggested as the status: what
 * its cells mean is for the team to say.
 */
export function isApprovalName(name: string): boolean {
  const loose = looseName(name);
  return namesIn(APPROVAL_NAMES).some((each) => looseName(each.name) === loose);
}

/** Only letters and digits, without case and accents; text in brackets is dropped. */
function looseName(name: string): string {
  return (
    name
      // `Link(s)` is one name. `Caption (EN)` and `Caption (FR)` differ only in the brackets.
      .replaceAll(/(?<=\p{L})\((s|es|en)\)/gu, "$1")
      .replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, "")
      .normalize("NFKD")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, "")
  );
}

/** A field's names by language. */
type Names = Readonly<Partial<Record<Language, string>>>;

const APPROVAL_NAMES: Names = {
  en: "approved, approval, is approved, client approval, client approved, sign off, signed off, ok, ready, validated",
  fr: "approuvé, approbation, validé, validation, bon à publier",
  de: "freigabe, freigegeben, genehmigt, genehmigung",
  es: "aprobado, aprobada, aprobación, validado",
  it: "approvato, approvata, approvazione, validato",
  pt: "aprovado, aprovada, aprovação, validado",
  nl: "goedgekeurd, goedkeuring, akkoord",
};

/**
 * Names by field. Case, accents, punctuation and text in brackets do not count. If two columns match a field, the one
 * with a clear name wins. Vague names often mean something else.
 */
const NAMES: Readonly<Record<Field, { readonly clear: Names; readonly vague?: Names }>> = {
  id: {
    clear: {
      en: "post id, content id, identifier",
      fr: "identifiant",
      de: "kennung",
      es: "identificador",
      it: "identificativo",
      pt: "identificador",
      nl: "identificatie",
    },
  },
  scheduled_at: {
    clear: {
      en:
        "publish at, scheduled for, scheduled on, datetime, date and time, post at specific time, " +
        "date time scheduled",
      fr: "date et heure, date heure, date et heure de publication",
      de: "datum und uhrzeit, datum uhrzeit, geplant am, geplant für",
      es: "fecha y hora, fecha hora",
      it: "data e ora, data ora",
      pt: "data e hora, data hora",
      nl: "datum en tijd, datum tijd",
    },
    vague: { en: "schedule, scheduled" },
  },
  date: {
    clear: {
      en:
        "publish date, publishing date, publication date, published date, post date, posting date, schedule date, " +
        "scheduled date, send date, live date, go live date, publish on, date to post, date of post",
      fr: "date de publication, date publication, date de diffusion, date de parution, date prévue",
      de: "datum, veröffentlichungsdatum, datum der veröffentlichung, postingdatum, postdatum",
      es: "fecha, fecha de publicación, fecha publicación",
      it: "data, data di pubblicazione, data pubblicazione",
      pt:
        "data, data de publicação, data da publicação, data publicação, data da postagem, " +
        "data de postagem",
      nl: "datum, publicatiedatum, plaatsingsdatum",
    },
  },
  time: {
    clear: {
      en:
        "publish time, publishing time, publication time, post time, posting time, schedule time, scheduled time, " +
        "time of day, time of post, time to post, time 24hr, time 24h",
      fr: "heure, heure de publication, heure publication, horaire",
      de: "uhrzeit, zeit, veröffentlichungszeit",
      es: "hora, hora de publicación, hora publicación",
      it: "ora, orario, ora di pubblicazione, orario di pubblicazione",
      pt: "hora, horário, hora de publicação, horário de publicação, horário da postagem",
      nl: "tijd, tijdstip, publicatietijd",
    },
  },
  timezone: {
    clear: {
      en: "tz, time zone",
      fr: "fuseau horaire, fuseau",
      de: "zeitzone",
      es: "zona horaria, huso horario",
      it: "fuso orario",
      pt: "fuso horário",
      nl: "tijdzone",
    },
  },
  platforms: {
    clear: {
      en:
        "platform, network, networks, social network, social networks, channel, channels, social channel, " +
        "social channels, social platform, social platforms, social media platform, social media platforms, " +
        "social media channel",
      fr: "plateforme, plateformes, réseau, réseaux, réseau social, réseaux sociaux, canal, canaux",
      de:
        "plattform, plattformen, netzwerk, netzwerke, soziales netzwerk, soziale netzwerke, kanal, " +
        "kanäle",
      es: "plataforma, plataformas, red social, redes sociales, redes, canal, canales",
      it: "piattaforma, piattaforme, canale, canali",
      pt: "plataforma, plataformas, rede social, redes sociais, redes, canal, canais",
      nl: "platform, platformen, kanaal, kanalen, netwerk, netwerken, sociale media",
    },
    vague: { en: "social media, social, site, sites", es: "red", pt: "rede" },
  },
  content: {
    clear: {
      en:
        "caption, captions, text, message, message text, copy, body, post content, post text, post copy, post caption, " +
        "post body, post message, caption text, caption copy, social copy, final copy, tweet, tweet text",
      fr: "légende, texte, message, texte du post, texte de la publication, contenu",
      de: "text, inhalt, beitragstext, nachricht, bildunterschrift, posttext",
      es: "texto, contenido, mensaje, leyenda, pie de foto, texto del post",
      it: "testo, contenuto, messaggio, didascalia, testo del post",
      pt: "texto, conteúdo, mensagem, legenda, texto do post",
      nl: "tekst, inhoud, bericht, onderschrift, bijschrift",
    },
    vague: {
      en: "post, posts, description, post description, publication",
      fr: "publication, description",
      de: "beitrag, beschreibung",
      es: "publicación, descripción",
      it: "pubblicazione, descrizione",
      pt: "publicação, postagem, descrição",
      nl: "omschrijving",
    },
  },
  media: {
    clear: {
      en:
        "image, images, picture, pictures, photo, photos, video, videos, gif, media file, media files, image file, " +
        "image files, image path, video file, image url, image urls, images url, media url, media urls, picture url, " +
        "photo url, video url, video urls, gif url, public image url, image link, video link, media link, media links",
      fr:
        "image, images, photo, photos, vidéo, vidéos, photo vidéo, média, médias, fichier, fichiers, " +
        "pièce jointe, pièces jointes",
      de: "bild, bilder, foto, fotos, video, videos, datei, dateien, medien",
      es: "foto, fotos, vídeo, vídeos, imagen, imágenes, archivo, archivos, medios, multimedia",
      it: "foto, video, immagine, immagini",
      pt: "foto, fotos, vídeo, vídeos, imagem, imagens, arquivo, arquivos, ficheiro, ficheiros, mídia, mídias",
      nl: "foto, video, afbeelding, afbeeldingen, beeld, bestand, bestanden",
    },
    vague: {
      en: "visual, visuals, asset, assets, creative, creatives, graphic, graphics, attachment, attachments, file, files",
      fr: "visuel, visuels",
      de: "grafik, grafiken, anhang",
      it: "allegato, allegati",
    },
  },
  status: {
    clear: {
      en: "post status, approval status, content status, publishing status",
      fr: "statut, état",
      es: "estado, estatus",
      it: "stato",
      pt: "estado, situação",
    },
    vague: {
      en: "draft, is draft",
      fr: "brouillon",
      de: "entwurf",
      es: "borrador",
      it: "bozza",
      pt: "rascunho",
    },
  },
  prompt: { clear: { en: "text prompt, content prompt, caption prompt, ai prompt" } },
  tone: { clear: { en: "tone of voice", fr: "tonalité", de: "tonalität, tonfall", pt: "tom de voz" } },
  image_prompt: { clear: { en: "picture prompt, photo prompt, ai image prompt, visual prompt" } },
  size: { clear: { en: "image size, picture size" } },
};
