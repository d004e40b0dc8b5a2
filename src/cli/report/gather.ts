import type { AnswerOf, Client, Schema } from '../../client/index.ts'
import { dayPlus, localDayOf, localDayStart } from '../../kernel/local-days.ts'
import type { Cli } from '../kit/cli.ts'

export interface Figure {
  name: string
  value: number
  /** Share of change against the period before; null when there was none. */
  change: number | null
}

export interface Row {
  label: string
  mentions: number
  relevant: number
  negative: number
}

export interface Report {
  workspace: string
  /** Days in ISO form, both included. */
  from: string
  to: string
  timezone: string
  figures: Figure[]
  keywords: Row[]
  platforms: Row[]
  /** Relevant mentions by day. */
  days: { day: string; relevant: number }[]
  top: Schema<'Mention'>[]
  negative: Schema<'Mention'>[]
  /** Relevant mentions that are open. */
  open: number
  url: string
}

export interface ReportInputs {
  filter: Record<string, unknown>
  days: number
  timezone: string
  url: string
}

const MOST_ROWS = 8
const MOST_MENTIONS = 5

/** Full days up to yesterday would hide the newest mentions, so the period ends today. */
export async function gatherReport(
  cli: Cli,
  client: Client,
  { filter, days, timezone, url }: ReportInputs,
): Promise<Report> {
  const now = cli.now()
  const to = localDayOf(now, timezone)
  const from = dayPlus(to, 1 - days)
  const window = { ...filter, from, to, timezone }
  const call = { signal: cli.signal }
  cli.terminal.progress('Reading figures and mentions')
  const since = localDayStart(from, timezone).toISOString()
  const mentions = { ...filter, since, relevant: true, limit: MOST_MENTIONS } as const
  const [me, summary, series, keywords, platforms, top, negative, open] = await Promise.all([
    client.whoami(undefined, call),
    client.getAnalyticsSummary({ ...window, compare: true }, call),
    client.getAnalyticsSeries({ ...window, interval: 'day' }, call),
    client.getAnalyticsBreakdown({ ...window, by: 'keyword', limit: MOST_ROWS }, call),
    client.getAnalyticsBreakdown({ ...window, by: 'platform', limit: MOST_ROWS }, call),
    client.listMentions({ ...mentions, sort: 'engagement' }, call),
    client.listMentions({ ...mentions, sentiments: ['negative'], sort: 'priority' }, call),
    client.countMentions({ ...filter, since, relevant: true, status: ['open'] }, call),
  ])
  cli.terminal.clearProgress()
  const { current, change } = summary
  return {
    workspace: me.workspace.name,
    from: summary.window.from,
    to: summary.window.to,
    timezone,
    url,
    figures: [
      { name: 'Mentions', value: current.mentions, change: change?.mentions ?? null },
      { name: 'Relevant', value: current.relevant, change: change?.relevant ?? null },
      { name: 'Positive', value: current.sentiment.positive, change: change?.positive ?? null },
      { name: 'Negative', value: current.sentiment.negative, change: change?.negative ?? null },
      { name: 'People', value: current.people, change: change?.people ?? null },
      { name: 'Reach', value: current.reach, change: change?.reach ?? null },
    ],
    keywords: keywords.data.map(rowOf),
    platforms: platforms.data.map(rowOf),
    days: series.buckets.map((day, at) => ({ day: day.slice(0, 10), relevant: series.totals.relevant[at] ?? 0 })),
    top: top.data,
    negative: negative.data,
    open: open.total,
  }
}

function rowOf({ label, mentions, relevant, sentiment }: AnswerOf<'getAnalyticsBreakdown'>['data'][number]): Row {
  return { label, mentions, relevant, negative: sentiment.negative }
}
