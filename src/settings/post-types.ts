/**
 * The types of posts that a column `type` can name, in the words that people use, and what plancast does with each. Case,
 * accents, signs and text in brackets do not count. A word has one meaning in all languages; a test checks that.
 */

import { once } from "../model/data.ts";
import { looseHeader, wordsOf } from "./languages/languages.ts";

interface PostType {
  /** `post`: an ordinary post. `video`, `poll`: an ordinary post if the row has one. `never`: plancast refuses the row. */
  readonly publishedAs: "post" | "video" | "poll" | "never";
  readonly words: string;
}

const TYPES = {
  post: {
    publishedAs: "post",
    words:
      "posts, feed post, feed, ordinary post, regular post, standard post, single post, static post, static, organic, organic post, " +
      "publication, publicación, publicação, pubblicazione, beitrag, bericht, wpis, organique, organisch, " +
      "منشور, 投稿, フィード, フィード投稿",
  },
  text: {
    publishedAs: "post",
    words: "text post, text only, tweet, texte, texto, testo, tekst, نص, テキスト",
  },
  photo: {
    publishedAs: "post",
    words:
      "photos, photo post, image, images, image post, picture, pictures, single image, single photo, static image, gif, " +
      "graphic, foto, fotos, bild, bilder, imagen, imágenes, immagine, immagini, imagem, imagens, " +
      "afbeelding, zdjęcie, grafika, visuel, صورة, صور, 画像, 写真",
  },
  video: {
    publishedAs: "post",
    words: "videos, video post, vidéo, vídeo, vídeos, wideo, film, فيديو, 動画, ビデオ",
  },
  carousel: {
    publishedAs: "post",
    words:
      "carousels, carousel post, carrousel, karussell, carrusel, carosello, carrossel, karuzela, gallery, album, كاروسيل, カルーセル",
  },
  link: {
    publishedAs: "post",
    words: "link post, lien, enlace, collegamento, رابط, リンク",
  },
  thread: { publishedAs: "post", words: "threads post, x thread, twitter thread, スレッド" },
  reel: {
    publishedAs: "video",
    words: "reels, instagram reel, ig reel, facebook reel, rolka, rolki, ريلز, ريل, リール",
  },
  short: { publishedAs: "video", words: "shorts, youtube short, youtube shorts, ショート" },
  story: {
    publishedAs: "never",
    words:
      "stories, insta story, insta stories, instagram story, instagram stories, ig story, ig stories, facebook story, story photo, story video, " +
      "histoire, historia, historias, storia, storie, história, histórias, verhaal, verhalen, relacja, relacje, " +
      "قصة, ستوري, ストーリー, ストーリーズ",
  },
  poll: {
    publishedAs: "poll",
    words:
      "polls, sondage, umfrage, encuesta, sondaggio, enquete, sondagem, ankieta, استطلاع, 投票, アンケート",
  },
  event: {
    publishedAs: "never",
    words: "events, événement, veranstaltung, evento, evenement, wydarzenie, فعالية, イベント",
  },
  live: {
    publishedAs: "never",
    words: "livestream, live stream, live video, direct, directo, diretta, ライブ",
  },
  ad: {
    publishedAs: "never",
    words:
      "ads, paid, paid ad, paid post, boosted, boosted post, sponsored, sponsored post, publicité, anzeige, werbeanzeige, anuncio, inserzione, " +
      "anúncio, advertentie, reklama, إعلان, 広告",
  },
  article: {
    publishedAs: "never",
    words:
      "articles, blog, blog post, article de blog, blogartikel, artículo, articolo, artigo, artikel, artykuł, مقال, 記事",
  },
  newsletter: {
    publishedAs: "never",
    words: "email, e-mail, infolettre, rundmail, boletín, nieuwsbrief, メルマガ",
  },
  message: { publishedAs: "never", words: "dm, direct message" },
} as const satisfies Readonly<Record<string, PostType>>;

export type PostTypeName = keyof typeof TYPES;

export function isPostType(name: string): name is PostTypeName {
  return Object.hasOwn(TYPES, name);
}

export const POST_TYPES: Readonly<Record<PostTypeName, PostType>> = TYPES;

/** The names of the types, as settings write them. */
export const POST_TYPE_NAMES: readonly PostTypeName[] = Object.keys(TYPES).filter(isPostType);

const typesByWord = once(
  () =>
    new Map(
      POST_TYPE_NAMES.flatMap((name) =>
        [name, ...wordsOf(TYPES[name].words)].map((word) => [looseHeader(word), name] as const),
      ),
    ),
);

/** The type that a word names, such as `story` for `IG Story`; undefined if plancast does not know the word. */
export function postTypeNamed(text: string): PostTypeName | undefined {
  return typesByWord().get(looseHeader(text.slice(0, MAX_TYPE)));
}

/** No name of a type is longer, in UTF-16 units. */
const MAX_TYPE = 60;

/** The type that counts if a row has several: one that plancast never publishes comes first. Undefined if there is none. */
export function strictestType<Said extends { readonly text: string }>(
  all: readonly Said[],
): Said | undefined {
  const strictness = ({ text }: Said): number =>
    ["post", "video", "poll", "never"].indexOf(isPostType(text) ? POST_TYPES[text].publishedAs : "never");
  return all.toSorted((one, other) => strictness(other) - strictness(one))[0];
}
