import type { Language } from "./language.ts";

export const english: Language = {
  code: "en",
  name: "English",
  columns: {
    id: "post id, content id, identifier",
    scheduled_at:
      "publish at, scheduled for, scheduled on, datetime, date and time, post at specific time, " +
      "date time scheduled, scheduled datetime, publish datetime",
    date:
      "publish date, planned date, planned publish date, planned publishing date, publishing date, " +
      "publication date, published date, post date, posting date, schedule date, scheduled date, send date, " +
      "live date, go live date, publish on, date to post, date of post, date of posts, dates of posts, " +
      "date of the post, date of posting, date of publication, date of publishing, date to publish",
    time:
      "publish time, publishing time, publication time, post time, posting time, schedule time, scheduled time, " +
      "go live time, live time, send time, time of day, time of post, time to post, time 24hr, time 24h",
    timezone: "tz, time zone, utc offset, gmt offset, time offset, tz offset",
    expires:
      "expire, expires at, expires on, expiry, expiry date, expiry time, expiration, expiration date, " +
      "post expires, do not publish after, do not post after, not after",
    platforms:
      "platform, network, networks, social network, social networks, channel, channels, social channel, " +
      "social channels, social platform, social platforms, social media platform, social media platforms, " +
      "social media channel, social media channels, post to",
    content:
      "caption, captions, text, message, message text, copy, body, post content, post text, post copy, " +
      "post caption, post body, post message, caption text, caption copy, social copy, final copy, tweet, " +
      "tweet text, tweet copy, final caption, body copy, body text, main text, main copy",
    media:
      "image, images, picture, pictures, photo, photos, video, videos, gif, media file, media files, image file, " +
      "image files, image path, video file, image url, image urls, images url, media url, media urls, " +
      "picture url, photo url, video url, video urls, gif url, public image url, image link, video link, " +
      "media link, media links, photo link, picture link, pic, pics, pic url, pic link, image video, " +
      "image video url, image or video url, photo video, photo video url",
    alt:
      "alt text, alt texts, alt tag, alt tags, alternative text, alternative texts, alternate text, " +
      "alt description, alt descriptions, image alt, image alt text, picture alt text, photo alt text, " +
      "media alt text, video alt text, alt text image, alt text picture, alt text photo, alt text for image, " +
      "alt text for images",
    thread: "thread parts, thread text, thread texts, tweet thread, twitter thread, x thread",
    reply_to: "reply to, in reply to",
    quote: "quote post, quoted post",
    first_comment: "first comment, 1st comment, first comment text, comment one",
    campaign: "campaign name, campaign label, campaign title, marketing campaign, social campaign",
    status: "post status, approval status, content status, publishing status",
    repeat: "repeats, repeat rule, recurrence, recurrence rule, recurring rule, rrule",
    except: "exceptions, repeat except, except dates, exception dates, exdate, exdates",
    pool: "text pool, pool of texts, evergreen texts",
    spacing: "text spacing, days between same text",
    prompt: "text prompt, content prompt, caption prompt, ai prompt",
    tone: "tone of voice",
    image_prompt: "picture prompt, photo prompt, ai image prompt, visual prompt",
    size: "image size, picture size",
    type: "type, post type, content type, type of post, type of content, format, post format, content format",
  },
  hints: {
    scheduled_at: "schedule, scheduled",
    date: "day, posting day, publish day",
    time: "hour, time slot, slot",
    expires: "valid until, end date, offer ends, offer end date, publish by, post by",
    platforms: "social media, social, site, sites",
    content:
      "post, posts, description, post description, publication, caption idea, caption ideas, caption hashtags, " +
      "caption and hashtags, copy hashtags, copy and hashtags, pin description, concept, title hook, " +
      "content idea, post idea, topic, idea, video description, summary, excerpt, teaser, abstract",
    reply_to: "parent, parent id, parent post, replies to",
    media:
      "visual, visuals, asset, assets, creative, creatives, graphic, graphics, attachment, attachments, " +
      "attachment url, attachment urls, file, files, files media, files and media, slide, slides, " +
      "carousel image, carousel images",
    alt: "image description, picture description, photo description, accessibility text",
    status: "stage, state",
    type: "media type, media format, placement, kind, paid organic, organic paid, paid or organic, organic or paid",
    "content+":
      "link, links, url, urls, utm, utm link, utm url, link with utm, landing page, landing page url, " +
      "destination url, target url, website link, hook, hook line, hooks, opening, opening line, first line, " +
      "intro, headline, cta, call to action",
    accounts:
      "account, accounts, account name, profile, profiles, profile name, page, page name, brand, brand name, " +
      "client, client name, handle, social account, social profile, brand page, company, company name, " +
      "company page, business, business name, business page, client page, store, branch, franchise, market, " +
      "markets, target market, language, languages, post language, lang, locale, country, region, territory",
    approver: "approved by, signed off by, cleared by, ok by, validated by",
    state:
      "publish*, post*, approv*, done*, go live, ready*, sign off, signed off, schedul*, ok, okay, go, live, " +
      "final, finalised, finalized, checked, uploaded, hold, held, feedback, decision, verdict, locked, " +
      "complete, completed, finished, cleared, loaded, queued, buffer, hootsuite, later, loomly, planoly, " +
      "active, include, included, stop, skip, blocked, proofed, proofread, reviewed, review, sent, signed, " +
      "status, remove, removed, delete, cancel, exclude, rescheduled, moved, embargo, embargoed",
    ignore:
      "pillar, content pillar, pillars, theme, themes, topics, category, categories, subject, subjects, series, " +
      "bucket, content bucket, goal, goals, objective, objectives, audience, target audience, persona, funnel, " +
      "funnel stage, owner, owners, author, writer, designer, creator, assignee, assigned to, responsible, " +
      "editor, team, department, note, notes, internal notes, comment, comments, remark, remarks, week, week no, " +
      "week number, weekday, day of week, month, quarter, year, no, nr, number, occasion, holiday, event, " +
      "product, tone, mood, priority, language notes, location, project, sprint, label, labels, tag, tags, " +
      "source, photographer, photo credit, image credit, created, created at, created on, created time, created date, " +
      "created by, updated at, last edited, last edited time, last edited by, last modified, last activity date",
  },
  questions: {
    ready:
      "publish?, post?, go live?, schedule?, to publish, to be published, ok to publish, to post, to be posted, " +
      "ok to post, approved, approval, is approved, client approval, client approved, approved by client, " +
      "client ok, go?, sign off, signed off, ok, ready, ready to post, ready to publish, validated, " +
      "date approved, approval date",
    skip:
      "published, posted, already posted, already published, is published, is posted, has been posted, sent, " +
      "live?, scheduled?, already scheduled, cancelled, canceled, archived, deleted, rejected, completed at, " +
      "completed on, date posted, posted on, date published, date sent",
    draft: "draft, is draft, hold, on hold, paused",
  },
  hashtags: "hashtag, hashtags, suggested hashtags, post hashtags",
  status: {
    ready:
      "ready, ready to post, ready to publish, ready to schedule, ready to go, approved, client approved, " +
      "confirmed, final, go, good to go, to be posted, to be published, to post, to publish, signed off",
    draft:
      "draft, drafted, drafting, in draft, idea, pending approval, pending review, awaiting approval, " +
      "waiting for approval, waiting, to do, not started, in progress, wip, work in progress, working on it, " +
      "stuck, in review, review, under review, to review, needs review, for review, for approval, " +
      "needs approval, to approve, needs edits, needs work, needs changes, changes requested, to write, " +
      "to be written, writing, to design, in design, brainstorm, concept, no go, on hold, hold, paused, " +
      "postponed, not ready, not approved, unapproved, tbd, tbc, outline",
    skip:
      "skip, skipped, posted, published, already posted, already published, already scheduled, live, sent, " +
      "cancelled, canceled, rejected, declined, archived, deleted, not needed, do not post, do not publish",
    unclear: "scheduled, queued, in queue, planned, pending",
    stop: "stop, stopped",
  },
  holds:
    "do not publish, don't publish, do not post, don't post, do not schedule, don't schedule, do not send out, " +
    "do not run, do not go live, not be published, not be posted, not to be published, not to be posted, " +
    "not go out, can't go out, not go live, please hold, hold this, hold off, hold for now, hold until, on hold, " +
    "pull this post, pull this one, cancel this post, cancel this one, skip this post, skip this one, " +
    "kill this post, kill this one, not approved",
  yes: "yes, y, true, on, checked, ok",
  no: "no, n, false, off, unchecked",
  nothing: "none, nothing, not applicable, nil",
  and: "and",
  totals: "total, totals, total posts, grand total, subtotal, sum",
  placeholders: {
    whole:
      "caption to come, text to come, copy to come, caption to follow, copy to follow, text to follow, to come, " +
      "to follow, to be confirmed, to be defined, to be decided, to be determined, to be written, to be done, " +
      "to be added, to be completed, to do, to write, not yet written, draft, pending, placeholder, " +
      "placeholder text, dummy text, sample text, caption here, text here, copy here, caption goes here, " +
      "text goes here, copy goes here, your caption here, your text here, insert caption, insert caption here, " +
      "insert text, insert text here, insert copy, insert copy here, add caption, add caption here, add text, " +
      "add text here, add copy, write caption, write copy, needs caption, needs copy, need caption, need copy, " +
      "awaiting copy, waiting for copy, no caption, no text, no copy, same as above, see above, as above, " +
      "same caption, ditto",
    start: "placeholder, draft, cancelled, canceled, on hold, hold, do not post, do not publish",
  },
  dateParts: {
    day: "d, dd, day",
    month: "m, mm, mmm, mon, month",
    year: "y, yy, yyyy, year",
  },
};
