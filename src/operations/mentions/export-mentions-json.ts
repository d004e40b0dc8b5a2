import { z } from 'zod'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { EXPORT_MAX, type ExportBatch, exportMentions } from '../../queries/mentions/export-mentions.ts'
import { resolveSearch } from '../../queries/mentions/search.ts'
import { defineOperation } from '../definition.ts'
import { FILE_NAME_HEADER, fileNamed, streamed } from '../streamed.ts'
import { EXPORT_LIMIT, exportQuery, mentionSearchQuery, searchFrom } from './search.ts'
import { mention } from './shapes.ts'

/**
 * Mentions that are made into one text: a text of more would be so long that the runtime keeps it until it tidies up
 * everything.
 */
const PIECE = 40

export const exportMentionsJsonOperation = defineOperation({
  id: 'export-mentions-json',
  method: 'GET',
  path: '/v1/mentions/export.json',
  access: 'read',
  summary: 'Export mentions as JSON',
  description:
    `Returns all mentions that match every condition, newest match first by default, at most ${EXPORT_MAX}. ` +
    '`truncated` says whether there are more.',
  tag: 'Mentions',
  query: { ...mentionSearchQuery, ...exportQuery },
  status: 200,
  output: z.strictObject({ data: z.array(mention).max(EXPORT_MAX), truncated: z.boolean() }),
  streams: 'application/json',
  exports: true,
  headers: FILE_NAME_HEADER,
  errors: ['not_found'],
  limit: EXPORT_LIMIT,
  audits: true,
  tool: { hidden: 'An export is too long for a model; search_mentions pages through the same mentions.' },
  run: async (context, { query }) => {
    const search = await resolveSearch(context, searchFrom(query))
    if (isRefusal(search)) return search
    return streamed(
      jsonOf(await exportMentions(context, search, query)),
      fileNamed('mentions', 'json', context.clock.now()),
    )
  },
})

async function* jsonOf(portions: AsyncIterable<ExportBatch>): AsyncIterable<string> {
  let separator = '{"data":['
  let truncated = false
  for await (const portion of portions) {
    truncated = portion.truncated
    for (let at = 0; at < portion.mentions.length; at += PIECE) {
      yield portion.mentions
        .slice(at, at + PIECE)
        .map((mention, place) => (place === 0 ? separator : ',') + JSON.stringify(mention))
        .join('')
      separator = ','
    }
  }
  yield `${separator === ',' ? '' : separator}],"truncated":${truncated}}`
}
