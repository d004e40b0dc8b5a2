import { z } from 'zod'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { exportPeople, PEOPLE_EXPORT_MAX } from '../../queries/people/export-people.ts'
import type { Person } from '../../queries/people/person-shape.ts'
import { type CsvColumns, csvTable } from '../csv-table.ts'
import { defineOperation } from '../definition.ts'
import { FILE_NAME_HEADER, fileNamed, streamed } from '../streamed.ts'
import { peopleSearchFrom, peopleSearchQuery } from './shapes.ts'

/** More characters than a line can have: most of them notes, names and addresses. */
const LINE_MAX = 100_000

const COLUMNS: CsvColumns<Person> = [
  ['id', ({ id }) => id],
  ['platform', ({ platform }) => platform],
  ['name', ({ name }) => name],
  ['handle', ({ handle }) => handle],
  ['url', ({ url }) => url],
  [
    'accounts',
    ({ accounts }) => accounts.map(({ platform, handle, name }) => `${platform}:${handle ?? name ?? ''}`).join('|'),
  ],
  ['followers', ({ reach }) => reach.followers],
  ['mentions', ({ stats }) => stats.mentions],
  ['relevant', ({ stats }) => stats.relevant],
  ['positive', ({ stats }) => stats.sentiment.positive],
  ['neutral', ({ stats }) => stats.sentiment.neutral],
  ['negative', ({ stats }) => stats.sentiment.negative],
  ['first_seen_at', ({ stats }) => stats.firstSeenAt],
  ['last_seen_at', ({ stats }) => stats.lastSeenAt],
  ['tags', ({ annotations }) => annotations.tags.join('|')],
  ['notes', ({ annotations }) => annotations.notes],
  ['muted', ({ annotations }) => annotations.muted],
]

export const exportPeopleCsvOperation = defineOperation({
  id: 'export-people-csv',
  method: 'GET',
  path: '/v1/people/export.csv',
  access: 'read',
  summary: 'Export people as CSV',
  description:
    `Returns the people who match every condition, in the order of the list, at most ${PEOPLE_EXPORT_MAX}. Columns: ` +
    `${COLUMNS.map(([name]) => name).join(', ')}. The format is RFC 4180 in UTF-8. Accounts and tags are separated ` +
    'by |. Cells that a spreadsheet would read as a formula start with an apostrophe.',
  tag: 'People',
  query: peopleSearchQuery,
  status: 200,
  output: z
    .string()
    .max(PEOPLE_EXPORT_MAX * LINE_MAX)
    .meta({ description: 'A header line, then one line for each person.' }),
  streams: 'text/csv; charset=utf-8',
  exports: true,
  headers: {
    ...FILE_NAME_HEADER,
    'X-People-Truncated': '`true` if there are more people than an export holds; absent otherwise.',
  },
  errors: ['not_found'],
  limit: { name: 'people exports', perMinute: 6 },
  audits: true,
  tool: { hidden: 'An export is too long for a model; list_people pages through the same people.' },
  run: async (context, { query }) => {
    const found = await exportPeople(context, peopleSearchFrom(query))
    if (isRefusal(found)) return found
    const headers = fileNamed('people', 'csv', context.clock.now())
    return streamed(
      csvTable(COLUMNS, found.portions),
      found.truncated ? { ...headers, 'X-People-Truncated': 'true' } : headers,
    )
  },
})
