import { isRefusal } from '../../domain/refusal/refusal.ts'
import { beginExport, EXPORT_MAX, type ExportBatch } from '../../queries/mentions/export-mentions.ts'
import type { Mention } from '../../queries/mentions/mention-shape.ts'
import { resolveSearch } from '../../queries/mentions/search.ts'
import { type CsvColumns, csvTable } from '../csv-table.ts'
import { defineOperation } from '../definition.ts'
import { textOut } from '../shapes.ts'
import { FILE_NAME_HEADER, fileNamed, streamed } from '../streamed.ts'
import { EXPORT_LIMIT, exportQuery, mentionSearchQuery, searchFrom } from './search.ts'

/** Characters (code points) of a post that a line holds. */
const TEXT_MAX = 1000
/** No table comes near it; what is described needs a bound. */
const TABLE_MAX = 1e9

const COLUMNS: CsvColumns<Mention> = [
  ['id', ({ id }) => id],
  ['published_at', ({ post }) => post.publishedAt],
  ['platform', ({ post }) => post.platform],
  ['keyword', ({ keyword }) => keyword.term],
  ['author', ({ author }) => author?.name ?? author?.handle ?? null],
  ['author_url', ({ author }) => author?.url ?? null],
  ['author_followers', ({ author }) => author?.followers ?? null],
  ['relevance', ({ classification }) => classification?.relevance ?? null],
  ['sentiment', ({ classification }) => classification?.sentiment ?? null],
  ['intents', ({ classification }) => classification?.intents.join('|') ?? null],
  ['language', ({ classification }) => classification?.language ?? null],
  ['confidence', ({ classification }) => classification?.confidence ?? null],
  ['status', ({ status }) => status],
  ['relevant', ({ relevant }) => relevant],
  ['delivered', ({ delivered }) => delivered],
  ['url', ({ post }) => post.url],
  ['links', ({ post }) => post.links.join('|')],
  ['text', ({ post }) => textOf(post)],
]

export const exportMentionsCsvOperation = defineOperation({
  id: 'export-mentions-csv',
  method: 'GET',
  path: '/v1/mentions/export.csv',
  access: 'read',
  summary: 'Export mentions as CSV',
  description:
    `Returns all mentions that match every condition, newest match first by default, at most ${EXPORT_MAX}. Columns: ` +
    `${COLUMNS.map(([name]) => name).join(', ')}. The format is RFC 4180 in UTF-8. Intents and links are separated ` +
    `by |. The text starts with the title and is cut after ${TEXT_MAX} characters. Cells that a spreadsheet would ` +
    'read as a formula start with an apostrophe.',
  tag: 'Mentions',
  query: { ...mentionSearchQuery, ...exportQuery },
  status: 200,
  output: textOut(TABLE_MAX).meta({
    description: 'A header line, then one line for each mention.',
  }),
  streams: 'text/csv; charset=utf-8',
  exports: true,
  headers: {
    ...FILE_NAME_HEADER,
    'X-Mentions-Truncated': '`true` if there are more mentions than an export holds; absent otherwise.',
  },
  errors: ['not_found'],
  limit: EXPORT_LIMIT,
  audits: true,
  tool: { hidden: 'An export is too long for a model; search_mentions pages through the same mentions.' },
  run: async (context, { query }) => {
    const search = await resolveSearch(context, searchFrom(query))
    if (isRefusal(search)) return search
    const { truncated, portions } = await beginExport(context, search, query)
    const headers = fileNamed('mentions', 'csv', context.clock.now())
    return streamed(
      csvTable(COLUMNS, mentionsOf(portions)),
      truncated ? { ...headers, 'X-Mentions-Truncated': 'true' } : headers,
    )
  },
})

async function* mentionsOf(portions: AsyncIterable<ExportBatch>): AsyncIterable<Mention[]> {
  for await (const { mentions } of portions) yield mentions
}

/** There is no column for the title, and the posts of some platforms have little else. */
function textOf({ title, text }: Mention['post']): string {
  const whole = title === null || text.startsWith(title) ? text : [title, text].filter((part) => part !== '').join('\n')
  return [...whole].slice(0, TEXT_MAX).join('')
}
