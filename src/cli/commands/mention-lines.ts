import type { Schema } from '../../client/index.ts'
import type { ListColumn } from '../kit/output.ts'
import { wordsOf } from '../kit/post.ts'
import { cleanLine, cleanText } from '../terminal/clean.ts'
import { cut, wrapped } from '../terminal/table.ts'
import type { Colour, Terminal } from '../terminal/terminal.ts'
import { ago } from '../terminal/times.ts'
import { short } from './search.ts'

export type Mention = Schema<'Mention'>

export function mentionColumns(now: Date): ListColumn<Mention>[] {
  return [
    { title: 'id', cell: ({ id }) => id, colour: () => 'dim' },
    {
      title: 'age',
      csvTitle: 'published',
      cell: ({ post }) => ago(post.publishedAt, now),
      csv: ({ post }) => post.publishedAt,
      align: 'right',
    },
    {
      title: 'rel',
      csvTitle: 'relevance',
      cell: relevanceOf,
      csv: ({ classification }) => classification?.relevance ?? null,
      align: 'right',
      colour: relevanceColour,
    },
    { title: 'platform', cell: ({ post }) => post.platform, colour: () => 'cyan' },
    { title: 'keyword', cell: ({ keyword }) => short(keyword.term), csv: ({ keyword }) => keyword.term },
    {
      title: 'text',
      cell: ({ post }) => wordsOf(post),
      csv: ({ post }) => post.text,
      isFlexible: true,
      leastWidth: 50,
    },
  ]
}

/** As they arrive: two lines each, so that the text has room. */
export function mentionLines(mention: Mention, terminal: Terminal): string {
  const { post, author, keyword, classification } = mention
  const head = [
    terminal.paint('dim', new Date(post.publishedAt).toISOString().slice(11, 16)),
    terminal.paint('cyan', post.platform),
    short(author?.handle ?? author?.name ?? ''),
    terminal.paint(relevanceColour(mention) ?? 'dim', relevanceOf(mention)),
    classification?.sentiment ?? '',
    terminal.paint('dim', short(keyword.term)),
    terminal.paint('dim', mention.id),
  ]
  const text = cleanLine(wordsOf(post))
  const width = terminal.isForPeople ? terminal.width - 2 : 400
  return `${head.filter((part) => part !== '').join('  ')}\n  ${cut(text, width)}\n`
}

export function mentionPage(mention: Mention, terminal: Terminal): string {
  const { post, author, keyword, classification, triage } = mention
  const score =
    classification === null
      ? 'not scored yet'
      : `${relevanceOf(mention)} of 100, ${classification.sentiment ?? 'no sentiment'}`
  const facts: [string, string][] = [
    ['mention', mention.id],
    ['keyword', `${keyword.term} (${keyword.id})`],
    ['platform', post.platform],
    ['published', post.publishedAt],
    [
      'author',
      [
        author?.name,
        author?.handle === null || author?.handle === undefined ? null : `@${author.handle}`,
        author?.followers === null || author?.followers === undefined ? null : `${author.followers} followers`,
      ]
        .filter(Boolean)
        .join(', '),
    ],
    ['link', post.url],
    ['score', [score, ...(classification?.intents ?? [])].join(', ')],
    ['status', [mention.status, triage?.assignee?.name].filter(Boolean).join(', ')],
    ['note', triage?.note ?? ''],
  ]
  const width = Math.min(terminal.width, 100)
  const lines = facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${terminal.paint('dim', name.padEnd(9))}  ${cleanLine(value)}`)
  const title =
    post.title === null || post.title === undefined ? [] : [terminal.paint('bold', cleanLine(post.title)), '']
  return [...lines, '', ...title, ...wrapped(cleanText(post.text), width), ''].join('\n')
}

function relevanceOf({ classification }: Mention): string {
  return classification === null || classification.relevance === null ? '-' : String(classification.relevance)
}

function relevanceColour({ relevant, classification }: Mention): Colour | null {
  if (classification === null) return 'dim'
  return relevant ? 'green' : 'dim'
}
