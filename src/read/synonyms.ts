/** The names that people and other schedulers give to columns, in the languages that they do it in. */
import { FIELDS, type Field } from "../calendar/row.ts";

/**
 * Names by field; case, accents, punctuation and what stands in brackets do not count. Of two columns the one that
 * has a name of the first list is the field's; the second list is for names that often mean something else.
 */
const NAMES: Readonly<Record<Field, readonly [clear: string, vague: string]>> = {
  id: [
    "post id, content id, identifier, identifiant, kennung, identificador, identificativo, identificatie",
    "",
  ],
  scheduled_at: [
    "publish at, scheduled for, scheduled on, datetime, date and time, post at specific time, date time scheduled, " +
      "date et heure, date heure, date et heure de publication, datum und uhrzeit, datum uhrzeit, geplant am, " +
      "geplant für, fecha y hora, fecha hora, data e ora, data ora, data e hora, data hora, datum en tijd, datum tijd",
    "schedule, scheduled",
  ],
  date: [
    "publish date, publishing date, publication date, published date, post date, posting date, schedule date, " +
      "scheduled date, send date, live date, go live date, publish on, date to post, date of post, " +
      "date de publication, date publication, date de diffusion, date de parution, date prévue, " +
      "datum, veröffentlichungsdatum, datum der veröffentlichung, postingdatum, postdatum, " +
      "fecha, fecha de publicación, fecha publicación, " +
      "data, data di pubblicazione, data pubblicazione, " +
      "data de publicação, data da publicação, data publicação, data da postagem, data de postagem, " +
      "publicatiedatum, plaatsingsdatum",
    "",
  ],
  time: [
    "publish time, publishing time, publication time, post time, posting time, schedule time, scheduled time, " +
      "time of day, time of post, time to post, time 24hr, time 24h, " +
      "heure, heure de publication, heure publication, horaire, uhrzeit, zeit, veröffentlichungszeit, " +
      "hora, hora de publicación, hora publicación, ora, orario, ora di pubblicazione, orario di pubblicazione, " +
      "horário, hora de publicação, horário de publicação, horário da postagem, tijd, tijdstip, publicatietijd",
    "",
  ],
  timezone: [
    "tz, time zone, fuseau horaire, fuseau, zeitzone, zona horaria, huso horario, fuso orario, fuso horário, tijdzone",
    "",
  ],
  platforms: [
    "platform, network, networks, social network, social networks, channel, channels, social channel, " +
      "social channels, social platform, social platforms, social media platform, social media platforms, " +
      "social media channel, " +
      "plateforme, plateformes, réseau, réseaux, réseau social, réseaux sociaux, canal, canaux, " +
      "plattform, plattformen, netzwerk, netzwerke, soziales netzwerk, soziale netzwerke, kanal, kanäle, " +
      "plataforma, plataformas, red social, redes sociales, redes, canales, " +
      "piattaforma, piattaforme, canale, canali, rede social, redes sociais, canais, " +
      "platformen, kanaal, kanalen, netwerk, netwerken, sociale media",
    "social media, social, red, rede, site, sites",
  ],
  content: [
    "caption, captions, text, message, message text, copy, body, post content, post text, post copy, post caption, " +
      "post body, post message, caption text, caption copy, social copy, final copy, tweet, tweet text, " +
      "légende, texte, texte du post, texte de la publication, contenu, " +
      "inhalt, beitragstext, nachricht, bildunterschrift, posttext, " +
      "texto, contenido, mensaje, leyenda, pie de foto, texto del post, " +
      "testo, contenuto, messaggio, didascalia, testo del post, conteúdo, mensagem, legenda, texto do post, " +
      "tekst, inhoud, bericht, onderschrift, bijschrift",
    "post, posts, description, post description, publication, beitrag, beschreibung, publicación, descripción, " +
      "pubblicazione, descrizione, publicação, postagem, descrição, omschrijving",
  ],
  media: [
    "image, images, picture, pictures, photo, photos, video, videos, gif, media file, media files, image file, " +
      "image files, image path, video file, image url, image urls, images url, media url, media urls, picture url, " +
      "photo url, video url, video urls, gif url, public image url, image link, video link, media link, media links, " +
      "vidéo, vidéos, photo vidéo, média, médias, fichier, fichiers, pièce jointe, pièces jointes, " +
      "bild, bilder, foto, fotos, datei, dateien, medien, " +
      "imagen, imágenes, archivo, archivos, medios, multimedia, immagine, immagini, imagem, imagens, arquivo, " +
      "arquivos, ficheiro, ficheiros, mídia, mídias, afbeelding, afbeeldingen, beeld, bestand, bestanden",
    "visual, visuals, visuel, visuels, asset, assets, creative, creatives, graphic, graphics, attachment, " +
      "attachments, file, files, grafik, grafiken, anhang, allegato, allegati",
  ],
  status: [
    "post status, approval status, content status, publishing status, statut, état, estado, estatus, stato, situação",
    "draft, is draft, brouillon, entwurf, borrador, bozza, rascunho",
  ],
};

/** How sure a name is: 1 is clear, 2 is one that often means something else. */
interface Meaning {
  readonly field: Field;
  readonly rank: 1 | 2;
}

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  FIELDS.flatMap((field) => {
    const [clear, vague] = NAMES[field];
    return [
      ...[field, ...namesIn(clear)].map((name): [string, Meaning] => [looseName(name), { field, rank: 1 }]),
      ...namesIn(vague).map((name): [string, Meaning] => [looseName(name), { field, rank: 2 }]),
    ];
  }),
);

function namesIn(list: string): string[] {
  return list === "" ? [] : list.split(", ");
}

/** A numbered column, such as `Picture Url 3`. Media alone come in columns of the same name. */
const NUMBERED = /^(.*\p{L})\d{1,2}$/u;

/** What a name other than a field's own commonly stands for. */
export function meaningOf(name: string): Meaning | undefined {
  const loose = looseName(name);
  const known = MEANINGS.get(loose);
  if (known !== undefined) return known;
  const numbered = MEANINGS.get(NUMBERED.exec(loose)?.[1] ?? "");
  return numbered?.field === "media" ? numbered : undefined;
}

/** Letters and digits alone, without case and accents, and without what stands in brackets. */
function looseName(name: string): string {
  return name
    .replaceAll(/\((s|es|en)\)/gi, "$1")
    .replaceAll(/\([^)]*\)|\[[^\]]*\]/g, "")
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
