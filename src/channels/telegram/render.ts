import type { EventLine } from '../../domain/attention/event-line.ts'
import { contentOf, type MentionContent } from '../../domain/delivery/content.ts'
import type { Digest } from '../../domain/delivery/digest.ts'
import { type Outgoing, ruleNames } from '../../domain/delivery/envelope.ts'
import { platformName } from '../../domain/platform/platforms.ts'
import { type Html, html } from '../../kernel/markup.ts'
import { cleanLine, cleanText, webAddress } from '../../kernel/text.ts'

/** Telegram counts without tags; counting escapes stays within the limit. */
export const MESSAGE_MAX = 4096

export interface TelegramMessage {
  text: string
  buttons: { text: string; url: string }[]
}

/** Includes markup. With our own words they fit one message. */
const ROOM = {
  rule: 300,
  term: 200,
  author: 150,
  title: 400,
  text: 2300,
  note: 400,
  line: 300,
  address: 400,
  item: 160,
} as const
/** Longer addresses make Telegram refuse the message. */
const BUTTON_URL_MAX = 2048

export function messageOf(outgoing: Outgoing, publicUrl: string): TelegramMessage {
  const told = contentOf(outgoing, publicUrl)
  switch (told.kind) {
    case 'mention':
      return { text: mentionText(told.mention), buttons: buttonsOf(told.mention) }
    case 'digest':
      return { text: digestText(ruleNames(outgoing) ?? '', told.digest), buttons: [] }
    case 'event':
      return { text: eventText(told.line), buttons: [] }
    case 'test':
      return { text: html`${cut(told.message, ROOM.text)}`.text, buttons: [] }
  }
}

function mentionText({ term, platform, author, title, text, note, ...facts }: MentionContent): string {
  const by = author === null ? null : html` · ${line(author, ROOM.author)}`
  const score = scoreOf(facts)
  const parts = [
    html`<b>${line(term, ROOM.term)}</b> · ${platformName(platform)}${by}`,
    title === null ? null : html`<b>${line(title, ROOM.title)}</b>`,
    text === '' ? null : cut(text, ROOM.text),
    score === '' ? null : html`<i>${score}</i>`,
    note === null ? null : html`<i>${line(note, ROOM.note)}</i>`,
  ]
  return parts.flatMap((part) => part?.text ?? []).join('\n')
}

function scoreOf({
  relevance,
  sentiment,
  intents,
  rating,
}: Pick<MentionContent, 'relevance' | 'sentiment' | 'intents' | 'rating'>): string {
  const facts = [
    rating === null ? null : `${rating} of 5 stars`,
    relevance === null ? null : `relevance ${relevance}`,
    sentiment,
    intents.map((intent) => intent.replaceAll('_', ' ')).join(', '),
  ]
  return facts.filter(Boolean).join(' · ')
}

const SECTIONS = [
  ['top', 'Top mentions'],
  ['negative', 'Negative'],
  ['buyingSignals', 'Buying signals'],
] as const
/** Reserved for a digest's last line. */
const MORE_ROOM = 60

function countsLine({ relevant, matched, positive, neutral, negative, buyIntent }: Digest['counts']): string {
  const moods = `${positive} positive · ${neutral} neutral · ${negative} negative`
  return `${relevant} relevant of ${matched} · ${moods} · ${buyIntent} buying signals`
}

function digestText(rule: string, digest: Digest<MentionContent>): string {
  const { counts, platforms } = digest
  let text = [
    html`<b>${line(rule, ROOM.rule)}</b>`,
    html`${periodOf(digest)}`,
    html`${countsLine(counts)}`,
    ...(platforms.length === 0
      ? []
      : [html`${platforms.map((platform) => `${platformName(platform.platform)} ${platform.relevant}`).join(', ')}`]),
  ]
    .map((part) => part.text)
    .join('\n')
  let length = shownLength(text)
  // A mention under several headings is shown under the first.
  const shown = new Set<string>()
  for (const [key, heading] of SECTIONS) {
    const mentions = digest[key].filter(({ id }) => !shown.has(id))
    for (const [at, mention] of mentions.entries()) {
      const next = `${at === 0 ? `\n\n<b>${heading}</b>` : ''}\n${itemOf(mention).text}`
      length += shownLength(next)
      if (length > MESSAGE_MAX - MORE_ROOM) return `${text}\n…`
      text += next
      shown.add(mention.id)
    }
  }
  return text
}

function periodOf({ period: { from, to, timezone } }: Digest<MentionContent>): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, dateStyle: 'medium', timeStyle: 'short' })
  return `${format.format(Date.parse(from))} to ${format.format(Date.parse(to))} (${timezone})`
}

function itemOf({ platform, title, text, url, dashboardUrl }: MentionContent): Html {
  const words = line(title ?? text, ROOM.item)
  const address = linkTo(url)
  const post = address === null ? words : html`<a href="${address}">${words}</a>`
  const mentionAddress = publicAddress(dashboardUrl)
  const more = mentionAddress && html` · <a href="${mentionAddress}">Open in Earshot</a>`
  return html`• ${post} · ${platformName(platform)}${more}`
}

function eventText({ text, url }: EventLine): string {
  const address = url === null ? null : linkTo(url)
  return html`${line(text, ROOM.line)}${address === null ? null : html` <a href="${address}">Open</a>`}`.text
}

/** Null if too long. */
function linkTo(url: string): string | null {
  const address = webAddress(url)
  return address === null || html`${address}`.text.length > ROOM.address ? null : address
}

function buttonsOf({ url, dashboardUrl }: MentionContent): TelegramMessage['buttons'] {
  return [...buttonTo(url, 'Open the post'), ...buttonTo(dashboardUrl, 'Open in Earshot')]
}

function buttonTo(url: string, text: string): TelegramMessage['buttons'] {
  const address = publicAddress(url)
  return address === null || address.length > BUTTON_URL_MAX ? [] : [{ text, url: address }]
}

/** Null for another address: as a button Telegram refuses the message, as a link Telegram drops the address. */
function publicAddress(url: string): string | null {
  const address = webAddress(url)
  if (address === null) return null
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/.test(new URL(address).hostname) ? address : null
}

function shownLength(markup: string): number {
  return markup.replace(/<[^<>]*>/g, '').length
}

/** Change the direction of the following text. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g
/** An invisible mark behind the sign keeps a post from notifying members of a group. */
const CALLING = /(?<![\p{L}\p{N}_])@(?=\w)/gu
const UNCALLED = '@\u2060'

const line = (text: string, room: number): Html => cut(cleanLine(text), room)

/** `room` includes escapes. */
function cut(text: string, room: number): Html {
  const clean = cleanText(text).replace(TURNING, '').replace(CALLING, UNCALLED)
  let end = 0
  let used = 1
  for (const character of clean.slice(0, room)) {
    used += html`${character}`.text.length
    if (used > room) break
    end += character.length
  }
  return html`${clean.slice(0, end)}${end < clean.length && '…'}`
}
