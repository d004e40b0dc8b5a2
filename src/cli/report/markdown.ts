import type { Schema } from '../../client/index.ts'
import { cleanLine } from '../terminal/clean.ts'
import type { Report, Row } from './gather.ts'
import { authorOf, changeOf, countOf, EXCERPT, excerptOf, openSentence, periodOf, titleOf } from './words.ts'

export function markdownReport(report: Report): string {
  const figures = table(
    ['Figure', 'Value', 'Change'],
    report.figures.map((figure) => [figure.name, countOf(figure.value), changeOf(figure)]),
  )
  const days = table(
    ['Day', 'Relevant'],
    report.days.map(({ day, relevant }) => [day, countOf(relevant)]),
  )
  return [
    `# ${escaped(titleOf(report))}`,
    escaped(periodOf(report)),
    figures,
    ...section('Relevant mentions by day', days, report.days.length > 0 && report.days.length <= 31),
    ...section('Keywords', rowTable('Keyword', report.keywords), report.keywords.length > 0),
    ...section('Platforms', rowTable('Platform', report.platforms), report.platforms.length > 0),
    ...section('Most engagement', listOf(report.top), report.top.length > 0),
    ...section('Negative, most urgent first', listOf(report.negative), report.negative.length > 0),
    openSentence(report),
    '',
  ].join('\n\n')
}

function section(title: string, content: string, isShown: boolean): string[] {
  return isShown ? [`## ${title}`, content] : []
}

function rowTable(title: string, rows: readonly Row[]): string {
  return table(
    [title, 'Mentions', 'Relevant', 'Negative'],
    rows.map(({ label, mentions, relevant, negative }) => [
      label,
      countOf(mentions),
      countOf(relevant),
      countOf(negative),
    ]),
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => escaped(cell)).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function listOf(mentions: readonly Schema<'Mention'>[]): string {
  return mentions
    .map((mention) => `- **${escaped(authorOf(mention))}**: ${escaped(excerptOf(mention, EXCERPT))} ${linkOf(mention)}`)
    .join('\n')
}

/** Only an address of the web, with what would end the link encoded. */
function linkOf({ post }: Schema<'Mention'>): string {
  const address = cleanLine(post.url)
  return /^https?:\/\//i.test(address) ? `([post](<${address.replace(/[<>\s\\]/g, encodeURIComponent)}>))` : ''
}

/** Texts of strangers make no heading, link, picture, table or tag. */
function escaped(text: string): string {
  return cleanLine(text).replace(/[\\`*_{}[\]#!|<>~&]/g, '\\$&')
}
