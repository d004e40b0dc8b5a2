import type { EventLine } from '../../domain/attention/event-line.ts'
import { contentOf, type MentionContent } from '../../domain/delivery/content.ts'
import type { Digest } from '../../domain/delivery/digest.ts'
import { type Outgoing, ruleNames } from '../../domain/delivery/envelope.ts'
import { platformName } from '../../domain/platform/platforms.ts'
import { SLACK_PRESSES, type SlackPress } from '../../domain/slack/slack.ts'
import { cleanLine, cleanText, excerpt } from '../../kernel/text.ts'
import {
  escaped,
  link,
  linkAddress,
  type MarkedText,
  marked,
  type PlainText,
  plainLine,
  plainText,
  unmarked,
} from './words.ts'

export type Block =
  | { type: 'header'; text: PlainText }
  | { type: 'section'; text: PlainText | MarkedText }
  | { type: 'context'; elements: PlainText[] }
  | { type: 'actions'; elements: Button[] }

interface Button {
  type: 'button'
  action_id: string
  text: PlainText
  value?: string
  url?: string
}

/** `text` serves notifications and screen readers. */
export interface SlackText {
  text: string
  blocks: Block[]
}

/** Third parties' texts are literal. */
export function messageOf(outgoing: Outgoing, publicUrl: string): SlackText {
  const told = contentOf(outgoing, publicUrl)
  switch (told.kind) {
    case 'mention':
      return mentionText(told.mention, outgoing)
    case 'digest':
      return digestText(told.digest, ruleNames(outgoing))
    case 'event':
      return eventText(told.line)
    case 'test':
      return {
        text: escaped(told.message, ROOM.fallback),
        blocks: [{ type: 'section', text: plainText(told.message, ROOM.section) }],
      }
  }
}

/** Buttons that change a mention, by action id. */
export const PRESS_OF: ReadonlyMap<string, SlackPress> = new Map(
  SLACK_PRESSES.map((press) => [`earshot_${press}`, press]),
)
const BUTTONS: Readonly<Record<SlackPress, string>> = { done: 'Done', ignore: 'Ignore', not_relevant: 'Not relevant' }
/** Buttons that only open an address; Slack reports their presses too. */
const OPEN_POST_ID = 'earshot_open'
const OPEN_MENTION_ID = 'earshot_open_mention'

/** UTF-16 units. Slack allows 150 in a header and 3,000 in a section. */
const ROOM = {
  header: 150,
  section: 2900,
  fallback: 300,
  context: 300,
  post: 600,
  title: 200,
  item: 160,
  by: 80,
  list: 600,
} as const

function mentionText(mention: MentionContent, { alerts }: Pick<Outgoing, 'alerts'>): SlackText {
  const { id, term, platform, author, title, text, url, dashboardUrl, note } = mention
  const heading = `${term} on ${platformName(platform)}`
  const body = [title && excerpt(cleanLine(title), ROOM.title), excerpt(cleanText(text), ROOM.post)]
    .filter(Boolean)
    .join('\n')
  const facts = [
    author,
    ...factsOf(mention),
    alerts.length === 0 ? null : `${alerts.length > 1 ? 'Rules' : 'Rule'}: ${ruleNames({ alerts })}`,
  ].filter((fact) => fact !== null && fact !== '')
  return {
    text: escaped(cleanLine(`${heading}: ${title ?? text}`), ROOM.fallback),
    blocks: [
      { type: 'header', text: plainLine(heading, ROOM.header) },
      { type: 'section', text: plainText(body, ROOM.section) },
      ...contextOf(facts),
      ...contextOf([note]),
      {
        type: 'actions',
        elements: [
          ...openButton(OPEN_POST_ID, 'Open post', url),
          ...openButton(OPEN_MENTION_ID, 'Open in Earshot', dashboardUrl),
          ...[...PRESS_OF].map(([actionId, press]) => pressButton(actionId, press, id)),
        ],
      },
    ],
  }
}

function factsOf({ relevance, sentiment, intents, rating }: MentionContent): (string | null)[] {
  return [
    rating === null ? null : `${rating} of 5 stars`,
    relevance === null ? null : `Relevance ${relevance}`,
    sentiment,
    intents.map((intent) => intent.replaceAll('_', ' ')).join(', '),
  ]
}

/** So that no fact can imitate another. */
function contextOf(facts: readonly (string | null)[]): Block[] {
  const elements = facts.flatMap((fact) => (fact === null || fact === '' ? [] : [plainLine(fact, ROOM.context)]))
  return elements.length === 0 ? [] : [{ type: 'context', elements }]
}

function openButton(actionId: string, words: string, address: string): Button[] {
  const url = linkAddress(address)
  return url === null ? [] : [{ type: 'button', action_id: actionId, text: plainLine(words, ROOM.by), url }]
}

function pressButton(actionId: string, press: SlackPress, mentionId: string): Button {
  return { type: 'button', action_id: actionId, text: plainLine(BUTTONS[press], ROOM.by), value: mentionId }
}

const SECTIONS = [
  ['top', 'Top mentions'],
  ['negative', 'Negative'],
  ['buyingSignals', 'Buying signals'],
] as const

/** At most 30 blocks: a digest's lists are bounded. */
function digestText(digest: Digest<MentionContent>, rule: string | null): SlackText {
  const { counts, platforms } = digest
  const heading = `${rule ?? 'Digest'}: ${counts.relevant} relevant of ${counts.matched}`
  const feelings =
    `${counts.positive} positive, ${counts.neutral} neutral, ${counts.negative} negative, ${counts.buyIntent} ` +
    'buying signals'
  const places = platforms.map(({ platform, relevant }) => `${platformName(platform)} ${relevant}`).join(', ')
  const lists = SECTIONS.flatMap(([name, title]) => listOf(title, digest[name]))
  return {
    text: escaped(cleanLine(heading), ROOM.fallback),
    blocks: [
      { type: 'header', text: plainLine(heading, ROOM.header) },
      ...contextOf([periodOf(digest), feelings]),
      ...(places === '' ? [] : [{ type: 'section' as const, text: plainLine(places, ROOM.list) }]),
      ...(lists.length === 0
        ? [{ type: 'section' as const, text: plainLine('No relevant mentions in this time.', ROOM.list) }]
        : lists),
    ],
  }
}

/** Addresses may be long. */
function listOf(title: string, mentions: readonly MentionContent[]): Block[] {
  if (mentions.length === 0) return []
  return [
    { type: 'section', text: marked(`*${title}*`) },
    ...mentions.map((mention): Block => ({ type: 'section', text: marked(itemOf(mention)) })),
  ]
}

function itemOf({ title, text, url, dashboardUrl, platform, author, term }: MentionContent): string {
  const words = cleanLine(title ?? '') || text
  const about = [platformName(platform), ...(author === null ? [] : [author]), term]
    .map((part) => unmarked(part, ROOM.by))
    .join(' · ')
  return `• ${link(url, words, ROOM.item)} (${about}) · ${link(dashboardUrl, 'Open in Earshot', ROOM.by)}`
}

function periodOf({ period: { from, to, timezone } }: Digest<MentionContent>): string {
  const clocks = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone })
  return `${clocks.format(new Date(from))} to ${clocks.format(new Date(to))} (${timezone})`
}

function eventText({ text, url }: EventLine): SlackText {
  const more = linkAddress(url) === null ? '' : ` ${link(url, 'Open', ROOM.by)}`
  return {
    text: escaped(cleanLine(text), ROOM.fallback),
    blocks: [{ type: 'section', text: marked(`${unmarked(text, ROOM.list)}${more}`) }],
  }
}

const OUTCOME_ID = 'earshot_outcome'

/** Keeps only the buttons that open an address. */
export function answeredBlocks(blocks: readonly object[], line: string): object[] {
  const kept = blocks.flatMap((block) => {
    const { type, block_id: id, elements } = block as { type?: unknown; block_id?: unknown; elements?: unknown }
    if (id === OUTCOME_ID) return []
    if (type !== 'actions' || !Array.isArray(elements)) return [block]
    const links = (elements as { url?: unknown }[]).filter(({ url }) => typeof url === 'string')
    return links.length === 0 ? [] : [{ ...block, elements: links }]
  })
  return [...kept, { type: 'context', block_id: OUTCOME_ID, elements: [plainLine(line, ROOM.context)] }]
}
