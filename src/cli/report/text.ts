import type { Schema } from '../../client/index.ts'
import { cleanLine } from '../terminal/clean.ts'
import { tableOf, wrapped } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Report, Row } from './gather.ts'
import { authorOf, changeOf, countOf, EXCERPT, excerptOf, openSentence, periodOf, titleOf } from './words.ts'

const BAR = 30
const PAGE = 80

export function textReport(report: Report, terminal: Terminal): string {
  const title = `${terminal.paint('bold', titleOf(report))}\n${periodOf(report)}\n`
  const figures = tableOf(
    [
      { title: 'figure', cell: ({ name }) => name },
      { title: 'value', cell: ({ value }) => countOf(value), align: 'right' },
      { title: 'change', cell: changeOf, align: 'right' },
    ],
    report.figures,
    terminal,
  )
  const parts = [
    title,
    figures,
    daysOf(report, terminal),
    rowsOf('keyword', report.keywords, terminal),
    rowsOf('platform', report.platforms, terminal),
    mentionsOf('Most engagement', report.top, terminal),
    mentionsOf('Negative, most urgent first', report.negative, terminal),
    `${openSentence(report)}\n`,
  ]
  return parts.filter((part) => part !== '').join('\n')
}

function daysOf({ days }: Report, terminal: Terminal): string {
  const most = Math.max(1, ...days.map(({ relevant }) => relevant))
  // A line a day is too long for a year.
  if (days.length > 31) return ''
  const lines = days.map(({ day, relevant }) => {
    const bar = '█'.repeat(Math.round((relevant / most) * BAR))
    return `${day}  ${String(relevant).padStart(String(most).length)}  ${terminal.paint('cyan', bar)}`.trimEnd()
  })
  return `${terminal.paint('bold', 'Relevant mentions by day')}\n${lines.join('\n')}\n`
}

function rowsOf(title: string, rows: readonly Row[], terminal: Terminal): string {
  if (rows.length === 0) return ''
  return tableOf<Row>(
    [
      { title, cell: ({ label }) => label },
      { title: 'mentions', cell: ({ mentions }) => countOf(mentions), align: 'right' },
      { title: 'relevant', cell: ({ relevant }) => countOf(relevant), align: 'right' },
      { title: 'negative', cell: ({ negative }) => countOf(negative), align: 'right' },
    ],
    rows,
    terminal,
  )
}

function mentionsOf(title: string, mentions: readonly Schema<'Mention'>[], terminal: Terminal): string {
  if (mentions.length === 0) return ''
  const width = Math.min(terminal.width, PAGE) - 2
  const entries = mentions.map((mention) => {
    const text = wrapped(excerptOf(mention, EXCERPT), width).map((line) => `  ${line}`)
    return [authorOf(mention), ...text, `  ${terminal.paint('dim', cleanLine(mention.post.url))}`].join('\n')
  })
  return `${terminal.paint('bold', title)}\n${entries.join('\n')}\n`
}
