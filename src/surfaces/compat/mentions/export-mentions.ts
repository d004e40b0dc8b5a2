import { z } from 'zod'
import { isRefusal } from '../../../domain/refusal/refusal.ts'
import { type CsvColumns, csvTable } from '../../../operations/csv-table.ts'
import { EXPORT_LIMIT } from '../../../operations/mentions/search.ts'
import { countOut } from '../../../operations/shapes.ts'
import { FILE_NAME_HEADER, fileNamed, streamed } from '../../../operations/streamed.ts'
import { beginExport, type ExportBatch } from '../../../queries/mentions/export-mentions.ts'
import { resolveSearch } from '../../../queries/mentions/search.ts'
import { type CompatContext, defineCompat } from '../define.ts'
import { type MentionRow, mentionRow } from './row.ts'
import { rowsOf } from './rows.ts'
import { searchFields, searchFrom } from './search.ts'

export const COMPAT_EXPORT_MAX = 5000

const COLUMNS: CsvColumns<MentionRow> = [
  ['id', ({ id }) => id],
  ['sourceId', ({ sourceId }) => sourceId],
  ['timestamp', ({ timestamp }) => timestamp],
  ['source', ({ source }) => source],
  ['url', ({ url }) => url],
  ['title', ({ title }) => title],
  ['body', ({ body }) => body],
  ['author', ({ author }) => author],
  ['authorFollowers', ({ authorFollowers }) => authorFollowers],
  ['language', ({ language }) => language],
  ['keywords', ({ keywords }) => keywords.map(({ keyword }) => keyword).join('|')],
  ['tags', ({ tags }) => tags.join('|')],
  ['relevance', ({ relevance }) => relevance],
  ['sentiment', ({ sentiment }) => sentiment],
  ['engaged', ({ engaged }) => engaged],
]

const CSV = 'text/csv; charset=utf-8'

export const exportMentionsCompat = defineCompat({
  id: 'export-mentions',
  method: 'POST',
  path: '/mentions/export',
  access: 'read',
  summary: 'Export mentions',
  description:
    `Returns the mentions that the list would, at most ${COMPAT_EXPORT_MAX}, as JSON or CSV. Columns: ` +
    `${COLUMNS.map(([name]) => name).join(', ')}; lists are joined by |, and a cell that a spreadsheet would read as ` +
    'a formula starts with an apostrophe. Exports of all interfaces share their limit.',
  tag: 'Mentions',
  body: z
    .object({
      ...searchFields,
      format: z.enum(['json', 'csv']).default('json'),
      limit: z.int().min(1).max(COMPAT_EXPORT_MAX).default(COMPAT_EXPORT_MAX),
      cursor: z
        .unknown()
        .optional()
        .refine((cursor) => cursor === undefined || cursor === null, 'is refused: an export has no pages')
        .meta({ description: 'Refused: an export has no pages.' }),
    })
    .prefault({}),
  output: z.strictObject({
    data: z.array(mentionRow).max(COMPAT_EXPORT_MAX),
    total: countOut.meta({ description: 'Number of exported mentions.' }),
  }),
  streams: 'application/json; charset=utf-8',
  exports: true,
  headers: {
    ...FILE_NAME_HEADER,
    'X-Total-Count': 'Number of exported mentions.',
    'Content-Type': '`text/csv` if asked for.',
  },
  notFound: 'FEED_NOT_FOUND',
  errors: ['not_found', 'feature_disabled'],
  limit: EXPORT_LIMIT,
  audits: true,
  run: async (context, { body }) => {
    const search = await searchFrom(context, body)
    const resolved = isRefusal(search) ? search : await resolveSearch(context, search)
    if (isRefusal(resolved)) return resolved
    const { count, portions } = await beginExport(context, resolved, { sort: 'published', limit: body.limit })
    const rows = rowsIn(context, portions, body.includeEngagementMetrics)
    const headers = { ...fileNamed('mentions', body.format, context.clock.now()), 'X-Total-Count': String(count) }
    return body.format === 'csv'
      ? streamed(csvTable(COLUMNS, rows), { ...headers, 'Content-Type': CSV })
      : streamed(jsonOf(rows), headers)
  },
})

async function* rowsIn(
  context: CompatContext<'read'>,
  portions: AsyncIterable<ExportBatch>,
  withMetrics: boolean,
): AsyncIterable<MentionRow[]> {
  for await (const { mentions } of portions) yield await rowsOf(context, mentions, withMetrics)
}

/** Rows of one text; the runtime keeps longer texts until it tidies up everything. */
const PIECE = 40

async function* jsonOf(portions: AsyncIterable<readonly MentionRow[]>): AsyncIterable<string> {
  let total = 0
  yield '{"data":['
  for await (const rows of portions)
    for (let from = 0; from < rows.length; from += PIECE) {
      const piece = rows.slice(from, from + PIECE).map((row) => JSON.stringify(row))
      yield `${total === 0 ? '' : ','}${piece.join(',')}`
      total += piece.length
    }
  yield `],"total":${total}}`
}
