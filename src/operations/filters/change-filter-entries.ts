import { z } from 'zod'
import { changeEntries } from '../../commands/filters/change-entries.ts'
import { FILTER_LIMITS } from '../../domain/workspace/filters.ts'
import { defineOperation } from '../definition.ts'
import { countOut, lineIn, timeOut } from '../shapes.ts'

const someIn = z.array(lineIn(1, FILTER_LIMITS.entryMax)).max(FILTER_LIMITS.entriesAtOnce).optional()
const listsIn = z.strictObject({
  excludedTerms: someIn,
  excludedAuthors: someIn,
  excludedRepos: someIn,
  subreddits: z.strictObject({ only: someIn, excluded: someIn }).optional(),
})

export const changeFilterEntriesOperation = defineOperation({
  id: 'change-filter-entries',
  method: 'PATCH',
  path: '/v1/filters/entries',
  access: 'write',
  summary: 'Edit filter entries',
  description: [
    `Removes entries from the filter lists and adds others, up to ${FILTER_LIMITS.entriesAtOnce} in total. Entries ` +
      'have the same form as in an update of whole lists.',
    'Removals come first. Missing entries and duplicates are ignored.',
  ].join(' '),
  tag: 'Filters',
  body: z.strictObject({
    add: listsIn.default({}),
    remove: listsIn.default({}),
    ifVersion: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Refuses the update if the filters have another version.' }),
  }),
  status: 200,
  output: z
    .strictObject({
      added: countOut,
      removed: countOut,
      entries: z
        .strictObject({
          excludedTerms: countOut,
          excludedAuthors: countOut,
          excludedRepos: countOut,
          subreddits: z.strictObject({ only: countOut, excluded: countOut }),
        })
        .meta({ description: 'Number of entries of each list.' }),
      version: z.int().min(1),
      updatedAt: timeOut,
    })
    .meta({ id: 'FilterEntriesChange', description: 'Result of editing filter entries.' }),
  errors: ['stale_version'],
  tool: {
    name: 'update_filter_entries',
    title: 'Edit filter entries',
    destructive: true,
    idempotent: true,
    openWorld: true,
  },
  run: (context, { body }) => changeEntries(context, body),
})
