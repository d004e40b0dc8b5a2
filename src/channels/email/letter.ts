import type { DeliveryContent, MentionContent } from '../../domain/delivery/content.ts'
import type { Digest } from '../../domain/delivery/digest.ts'
import { platformName } from '../../domain/platform/platforms.ts'
import { numbered } from '../../kernel/figures.ts'
import { Html, html } from '../../kernel/markup.ts'
import { cleanLine, cleanText, excerpt, webAddress } from '../../kernel/text.ts'

/** The text and the HTML page say the same. */
export interface Letter {
  subject: string
  text: string
  html: string
}

export interface Foot {
  /** One sentence. */
  reason: string
  unsubscribeUrl: string
}

const SUBJECT_CHARACTERS_MAX = 120
/** Limits of a single mention and of one in a digest. */
const TEXT_CHARACTERS_MAX = 1500
const LISTED_CHARACTERS_MAX = 280
const NAME_CHARACTERS_MAX = 80
/** A longer word gets its own line. */
const LINE_CHARACTERS_MAX = 76

/**
 * Strangers' texts are escaped and isolated in direction in HTML and quoted in text, so that they cannot make links,
 * load anything or look like ours. `rule` is null without a rule. Readers share all but the foot.
 */
export function letterOf(told: DeliveryContent, rule: string | null): (foot: Foot) => Letter {
  const contents = CONTENTS[told.kind](told as never, rule)
  const subject = excerpt(seenLine(contents.subject), SUBJECT_CHARACTERS_MAX)
  const text = contents.blocks.map(textOf).join('\n\n')
  const body = new Html(contents.blocks.map((block) => markupOf(block).text).join(''))
  return (foot) => ({
    subject,
    text: `${text}\n\n-- \n${wrapped(foot.reason)}\nUnsubscribe: ${foot.unsubscribeUrl}\n`,
    html: pageOf(subject, body, foot),
  })
}

type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'line'; text: string; isQuiet?: boolean }
  | { kind: 'links'; links: readonly Link[] }
  | { kind: 'quote'; title: string | null; text: string }
  | { kind: 'figures'; figures: readonly (readonly [name: string, value: number])[] }
  | { kind: 'rule' }

interface Link {
  text: string
  url: string
}

interface Contents {
  subject: string
  blocks: Block[]
}

const CONTENTS: {
  [Kind in DeliveryContent['kind']]: (told: Extract<DeliveryContent, { kind: Kind }>, rule: string | null) => Contents
} = {
  mention: ({ mention }, rule) => ({
    subject:
      `${named(mention.term)} on ${platformName(mention.platform)}: ` +
      `${opening(mention.title ?? mention.text, SUBJECT_CHARACTERS_MAX, seenLine)}`,
    blocks: [
      {
        kind: 'line',
        text:
          `${named(mention.term)} on ` +
          `${platformName(mention.platform)}${rule === null ? '' : `, by the rule ${named(rule)}`}`,
        isQuiet: true,
      },
      ...mentionBlocks(mention, TEXT_CHARACTERS_MAX),
    ],
  }),
  digest: ({ digest }, rule) => digestContents(digest, rule),
  event: ({ line }) => ({
    subject: line.text,
    blocks: [
      { kind: 'heading', text: excerpt(seenLine(line.text), SUBJECT_CHARACTERS_MAX) },
      ...linksTo([line.url, 'See more in Earshot']),
    ],
  }),
  test: ({ message }) => ({
    subject: 'A test from Earshot',
    blocks: [
      { kind: 'heading', text: 'This mail works' },
      { kind: 'line', text: seenLine(message) },
    ],
  }),
}

function mentionBlocks(mention: MentionContent, charactersMax: number): Block[] {
  const { author, publishedAt, rating, relevance, sentiment, intents, note } = mention
  const title = mention.title === null ? null : opening(mention.title, 2 * NAME_CHARACTERS_MAX, seenLine)
  const facts = [
    rating === null ? null : `${rating} of 5 stars`,
    relevance === null ? null : `relevance ${relevance}`,
    sentiment,
    intents.length === 0 ? null : intents.map((intent) => intent.replaceAll('_', ' ')).join(', '),
  ].filter((fact) => fact !== null)
  return [
    { kind: 'line', text: `${author === null ? 'Somebody' : named(author)}, ${dateOf(publishedAt)}` },
    { kind: 'quote', title, text: opening(mention.text, charactersMax, seenText) },
    ...(facts.length === 0 ? [] : [{ kind: 'line', text: facts.join(' · '), isQuiet: true } as const]),
    ...(note === null ? [] : [{ kind: 'line', text: opening(note, 300, seenLine), isQuiet: true } as const]),
    ...linksTo([mention.url, `Open on ${platformName(mention.platform)}`], [mention.dashboardUrl, 'Open in Earshot']),
  ]
}

const PERIODS = { hourly: 'hour', daily: 'day', weekly: 'week' } as const

function digestContents(
  { period, counts, platforms, top, negative, buyingSignals }: Digest<MentionContent>,
  rule: string | null,
): Contents {
  const name = rule === null ? 'Your digest' : named(rule)
  const shown = new Set<string>()
  // A mention in several parts is shown in the first.
  const part = (heading: string, mentions: readonly MentionContent[]): Block[] => {
    const fresh = mentions.filter(({ id }) => !shown.has(id))
    for (const { id } of fresh) shown.add(id)
    return fresh.length === 0 ? [] : [{ kind: 'heading', text: heading }, ...fresh.flatMap(listedBlocks)]
  }
  const ofThem = counts.negative > 0 ? `, ${counts.negative} negative` : ''
  return {
    subject: `${name}: ${numbered(counts.relevant, 'mention')}${ofThem}`,
    blocks: [
      { kind: 'heading', text: name },
      {
        kind: 'line',
        text:
          `The ${PERIODS[period.mode]} from ${dateOf(period.from, period.timezone)} to ` +
          `${dateOf(period.to, period.timezone)} (${seenLine(period.timezone)})`,
        isQuiet: true,
      },
      {
        kind: 'figures',
        figures: [
          ['Relevant', counts.relevant],
          ['Positive', counts.positive],
          ['Neutral', counts.neutral],
          ['Negative', counts.negative],
          ['Buying intent', counts.buyIntent],
        ],
      },
      ...(platforms.length === 0
        ? []
        : [
            {
              kind: 'line',
              text: platforms.map((platform) => `${platformName(platform.platform)} ${platform.relevant}`).join(' · '),
              isQuiet: true,
            } as const,
          ]),
      ...(counts.relevant === 0 ? [{ kind: 'line', text: 'Nothing relevant was said.' } as const] : []),
      ...part('Most important', top),
      ...part('Negative', negative),
      ...part('Buying signals', buyingSignals),
    ],
  }
}

function listedBlocks(mention: MentionContent): Block[] {
  return [
    { kind: 'rule' },
    { kind: 'line', text: `${named(mention.term)} on ${platformName(mention.platform)}`, isQuiet: true },
    ...mentionBlocks(mention, LISTED_CHARACTERS_MAX),
  ]
}

function linksTo(...targets: readonly (readonly [url: string | null, text: string])[]): Block[] {
  const links = targets.flatMap(([url, text]) => {
    const address = url === null ? null : webAddress(url)
    return address === null ? [] : [{ text, url: address }]
  })
  return links.length === 0 ? [] : [{ kind: 'links', links }]
}

/** In UTC, or with the zone's name. */
function dateOf(iso: string, timeZone = 'UTC'): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return 'at an unknown time'
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone })
  return `${format.format(at)}${timeZone === 'UTC' ? ' UTC' : ''}`
}

/** Characters that are invisible or change direction; joiners stay for scripts and emoji. */
const UNSEEN =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu

/** Removes invisible characters and repeated empty lines. */
function seenText(text: string): string {
  return cleanText(text.replace(/[\u2028\u2029\u0085]/g, '\n').replace(UNSEEN, ''))
    .replace(/[\u0080-\u009f]/g, '')
    .replace(/\n{3,}/g, '\n\n')
}

function seenLine(text: string): string {
  return cleanLine(seenText(text))
}

function named(name: string): string {
  return opening(name, NAME_CHARACTERS_MAX, seenLine)
}

/** UTF-16 units read per shown character: some are invisible or marks on letters. */
const UNITS_LOOKED_AT = 4

/** Reads only the part near the cut, so that a long text costs no more. */
function opening(text: string, charactersMax: number, seen: (text: string) => string): string {
  const start = text.slice(0, charactersMax * UNITS_LOOKED_AT)
  if (start.length === text.length) return excerpt(seen(text), charactersMax)
  // Half a surrogate pair would be shown as another character.
  const whole = seen(start.replace(/[\ud800-\udbff]$/, ''))
  return excerpt(`${whole}…`, charactersMax)
}
const QUOTE_STYLE =
  'margin:0 0 12px;padding:2px 0 2px 14px;border-left:3px solid #7d8798;font-size:16px;line-height:1.5;color:#171c26'

function quoted(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => wrapped(line, LINE_CHARACTERS_MAX - 2).split('\n'))
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return wrapped(block.text).toUpperCase()
    case 'line':
      return wrapped(block.text)
    case 'links':
      return block.links.map(({ text, url }) => `${text}:\n${url}`).join('\n')
    case 'quote':
      return quoted([...(block.title === null ? [] : [block.title, '']), block.text].join('\n'))
    case 'figures':
      return block.figures.map(([name, value]) => `${name}: ${value}`).join('\n')
    case 'rule':
      return '- - -'
  }
}

function wrapped(text: string, width = LINE_CHARACTERS_MAX): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
/** Dark mode; other programs use the colors at each element. */
const STYLE = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.ground{background:#0f131a!important}
.sheet{background:#181e28!important}
.text{color:#e9edf3!important}
.quiet{color:#a9b3c3!important}
.link{color:#8fb4ff!important}
.quote{border-color:#77829a!important}
.part{border-color:#2b3342!important}
}
`
const BROKEN = 'overflow-wrap:anywhere;word-break:break-word'

/** Many mail programs drop everything but nested tables with inline styles. */
function pageOf(subject: string, body: Html, { reason, unsubscribeUrl }: Foot): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${new Html(STYLE)}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f4f6f8">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0"
style="background:#f4f6f8"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" border="0"
style="max-width:600px;background:#ffffff;border-radius:12px"><tr><td style="padding:24px;${FONT};${BROKEN}">
${body}
</td></tr></table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px"><tr><td
style="padding:16px 24px;${FONT};${BROKEN}">
<p class="quiet" style="margin:0;font-size:13px;line-height:1.5;color:#525c6e">${reason} <a class="link"
href="${unsubscribeUrl}" style="color:#1f4fd0">Unsubscribe</a></p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`.text
}

function markupOf(block: Block): Html {
  switch (block.kind) {
    case 'heading':
      return html`<h2 class="text" dir="auto"
      style="margin:8px 0 12px;font-size:20px;line-height:1.3;color:#171c26">${block.text}</h2>`
    case 'line':
      return block.isQuiet
        ? html`<p class="quiet" dir="auto"
        style="margin:0 0 12px;font-size:14px;line-height:1.5;color:#525c6e">${block.text}</p>`
        : html`<p class="text" dir="auto"
        style="margin:0 0 12px;font-size:16px;line-height:1.5;color:#171c26">${block.text}</p>`
    case 'links':
      return html`<p style="margin:0 0 16px;font-size:16px;line-height:1.5">${block.links.map(
        ({ text, url }) =>
          html`<a class="link" href="${url}" style="color:#1f4fd0;display:inline-block;margin:0 18px 0 0">${text}</a> `,
      )}</p>`
    case 'quote':
      return html`<blockquote class="quote text" dir="auto" style="${QUOTE_STYLE}">${
        block.title !== null && html`<strong>${block.title}</strong><br>`
      }${block.text.split('\n').map((line, at) => html`${at > 0 && html`<br>`}${line}`)}</blockquote>`
    case 'figures':
      return html`<p class="quiet"
      style="margin:0 0 4px;font-size:13px;line-height:1.4;color:#525c6e">${block.figures.map(
        ([name, value]) =>
          html`<span style="display:inline-block;margin:0 18px 8px 0;white-space:nowrap"><span class="text"
          style="font-size:20px;font-weight:600;color:#171c26">${value}</span><br>${name}</span> `,
      )}</p>`
    case 'rule':
      return html`<hr class="part" style="margin:16px 0;border:0;border-top:1px solid #dfe3ea">`
  }
}
