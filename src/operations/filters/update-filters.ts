import { z } from 'zod'
import { updateFilters } from '../../commands/filters/update-filters.ts'
import { defineOperation } from '../definition.ts'
import { clearable } from '../shapes.ts'
import { entriesIn, filters } from './shapes.ts'

export const updateFiltersOperation = defineOperation({
  id: 'update-filters',
  method: 'PATCH',
  path: '/v1/filters',
  access: 'write',
  summary: 'Change the workspace filters',
  description:
    'Sets the lists that are sent anew; a list that is absent stays, an empty one or null clears it. New mentions ' +
    'follow the change within a minute; stored mentions stay.',
  tag: 'Filters',
  body: z.strictObject({
    excludedTerms: entriesIn.meta({
      description: 'Posts that hold one of these are dropped; a leading or trailing * is a wildcard.',
    }),
    excludedAuthors: entriesIn.meta({
      description: 'Profile or post links, @handles, u/names, Bluesky DIDs or display names.',
    }),
    excludedRepos: entriesIn.meta({ description: 'Repositories at GitHub: owner/name, or a link into one.' }),
    subreddits: clearable(
      z.strictObject({
        only: entriesIn.meta({ description: 'Of Reddit only posts of these subreddits are taken.' }),
        excluded: entriesIn.meta({ description: 'Posts of these subreddits are dropped.' }),
      }),
      { only: [], excluded: [] },
    ),
    ifVersion: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Refuse the change when the filters have another version by now.' }),
  }),
  status: 200,
  output: filters,
  errors: ['stale_version'],
  tool: {
    name: 'update_filters',
    title: 'Change the workspace filters',
    destructive: false,
    idempotent: true,
    openWorld: true,
  },
  run: (context, { body }) => updateFilters(context, body),
})
