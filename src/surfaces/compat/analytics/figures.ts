import { z } from 'zod'
import { KEYWORD_LIMITS } from '../../../domain/keyword/keyword.ts'
import { isRefusal, type Refusal } from '../../../domain/refusal/refusal.ts'
import { dayOf } from '../../../kernel/clock.ts'
import { ANALYTICS_LIMIT } from '../../../operations/analytics/request.ts'
import { countOut, textOut } from '../../../operations/shapes.ts'
import { countByKeyword, countByPlatform, countBySentiment, countByTime } from '../../../queries/analytics/count-by.ts'
import { readTogether } from '../../../queries/read-together.ts'
import { type CompatContext, type CompatOperation, defineCompat } from '../define.ts'
import { numberIdOut } from '../fields.ts'
import { sentimentNameOf } from '../mentions/row.ts'
import { usageOf, usageOut } from '../org/usage.ts'
import { FILTER_SLUGS, slugOfPost } from '../platforms.ts'
import { type FiguresRequest, figuresQuery, figuresRequestFrom } from './request.ts'

type Context = CompatContext<'read'>
type Figures<Row> = Promise<{ data: Row[] } | Refusal>

const granularity = z.enum(['day', 'hour'])
type Granularity = z.output<typeof granularity>
const granularityIn = { granularity: granularity.default('day').meta({ description: 'Length of a bucket.' }) }

const dataOf = <Row extends z.ZodType>(row: Row, max: number) => z.strictObject({ data: z.array(row).max(max) })

const volumeOut = z.strictObject({
  granularity,
  data: z
    .array(
      z.strictObject({
        bucket: z.string().max(24).meta({ description: 'Day, or beginning of an hour; UTC. Empty ones are left out.' }),
        count: countOut,
      }),
    )
    .max(10_000),
})
const sentimentsOut = dataOf(
  z.strictObject({ sentiment: z.enum(['Positive', 'Neutral', 'Negative', 'unknown']), count: countOut }),
  4,
)
const sourcesOut = dataOf(
  z.strictObject({ source: z.enum(FILTER_SLUGS as [string, ...string[]]), count: countOut }),
  50,
)
const keywordsOut = dataOf(
  z.strictObject({ keywordId: numberIdOut, keyword: textOut(KEYWORD_LIMITS.termMax), count: countOut }),
  KEYWORD_LIMITS.perWorkspace,
)

async function volumeOf(context: Context, { search, windows }: FiguresRequest, unit: Granularity) {
  const rows = await countByTime(context, search, windows, unit)
  if (isRefusal(rows)) return rows
  const textOfBucket = (bucket: Date) => (unit === 'day' ? dayOf(bucket) : bucket.toISOString())
  return { granularity: unit, data: rows.map(({ bucket, count }) => ({ bucket: textOfBucket(bucket), count })) }
}

async function sentimentsOf(
  context: Context,
  { search, windows }: FiguresRequest,
): Figures<z.output<typeof sentimentsOut>['data'][number]> {
  const rows = await countBySentiment(context, search, windows)
  if (isRefusal(rows)) return rows
  return { data: rows.map(({ sentiment, count }) => ({ sentiment: sentimentNameOf(sentiment) ?? 'unknown', count })) }
}

async function sourcesOf(
  context: Context,
  { search, windows }: FiguresRequest,
): Figures<z.output<typeof sourcesOut>['data'][number]> {
  const rows = await countByPlatform(context, search, windows)
  if (isRefusal(rows)) return rows
  const counts = new Map<string, number>()
  for (const { platform, isReply, count } of rows) {
    const slug = slugOfPost(platform, isReply)
    counts.set(slug, (counts.get(slug) ?? 0) + count)
  }
  const data = [...counts].map(([source, count]) => ({ source, count }))
  return { data: data.sort((a, b) => b.count - a.count || (a.source < b.source ? -1 : 1)) }
}

async function keywordsOf(
  context: Context,
  { search, windows }: FiguresRequest,
): Figures<z.output<typeof keywordsOut>['data'][number]> {
  const rows = await countByKeyword(context, search, windows)
  if (isRefusal(rows)) return rows
  const numberOf = await context.numbers.of(rows.map(({ id }) => ({ kind: 'keyword', id })))
  return { data: rows.map(({ id, term, count }) => ({ keywordId: numberOf(id), keyword: term, count })) }
}

/** One of the figures by itself. */
function figures<Output extends z.ZodType>(
  name: string,
  description: string,
  output: Output,
  read: (context: Context, request: FiguresRequest) => Promise<z.input<Output> | Refusal>,
): CompatOperation {
  return defineCompat({
    id: `count-by-${name}`,
    method: 'GET',
    path: `/analytics/${name}`,
    access: 'read',
    summary: `Count by ${name}`,
    description: `${description} ${COUNTED}`,
    tag: 'Analytics',
    query: figuresQuery,
    output,
    errors: ['feature_disabled'],
    limit: ANALYTICS_LIMIT,
    run: async (context, { query }) => {
      const request = await figuresRequestFrom(context, query)
      return isRefusal(request) ? request : await read(context, request)
    },
  })
}

const COUNTED =
  'Counts mentions by publication, of high and medium relevance unless asked otherwise. Mentions by muted people and ' +
  'snoozed ones are left out.'

export const sentimentFigures = figures('sentiment', 'Returns mentions by sentiment.', sentimentsOut, sentimentsOf)
export const sourceFigures = figures('sources', 'Returns mentions by source, most first.', sourcesOut, sourcesOf)
export const keywordFigures = figures('keywords', 'Returns mentions by keyword, most first.', keywordsOut, keywordsOf)

export const volumeFigures = defineCompat({
  id: 'count-by-volume',
  method: 'GET',
  path: '/analytics/volume',
  access: 'read',
  summary: 'Count by time',
  description: `Returns mentions by day or hour (UTC), oldest first. ${COUNTED}`,
  tag: 'Analytics',
  query: { ...figuresQuery, ...granularityIn },
  output: volumeOut,
  errors: ['feature_disabled'],
  limit: ANALYTICS_LIMIT,
  run: async (context, { query: { granularity: unit, ...query } }) => {
    const request = await figuresRequestFrom(context, query)
    return isRefusal(request) ? request : await volumeOf(context, request, unit)
  },
})

export const dashboardFigures = defineCompat({
  id: 'get-dashboard',
  method: 'GET',
  path: '/analytics/dashboard',
  access: 'read',
  summary: 'Get the dashboard figures',
  description: `Returns volume, keywords, sentiment and usage together. ${COUNTED}`,
  tag: 'Analytics',
  query: { ...figuresQuery, ...granularityIn },
  output: z.strictObject({ volume: volumeOut, keywords: keywordsOut, sentiment: sentimentsOut, usage: usageOut }),
  errors: ['feature_disabled'],
  limit: ANALYTICS_LIMIT,
  run: async (context, { query: { granularity: unit, ...query } }) => {
    const request = await figuresRequestFrom(context, query)
    if (isRefusal(request)) return request
    const [volume, keywords, sentiment, usage] = await readTogether(context.db, [
      () => volumeOf(context, request, unit),
      () => keywordsOf(context, request),
      () => sentimentsOf(context, request),
      () => usageOf(context),
    ])
    if (isRefusal(volume)) return volume
    if (isRefusal(keywords)) return keywords
    return isRefusal(sentiment) ? sentiment : { volume, keywords, sentiment, usage }
  },
})
