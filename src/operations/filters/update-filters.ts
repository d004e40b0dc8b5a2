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
  summary: 'Update workspace filters',
  description:
    'Replaces the lists that are sent and keeps the others; an empty list or null clears a list. New ' +
    'posts follow the change within a minute; stored mentions stay.',
  tag: 'Filters',
  body: z.strictObject({
    excludedTerms: entriesIn.meta({
      description: 'Posts with one of these terms are dropped. A leading or trailing * is a wildcard.',
    }),
    excludedAuthors: entriesIn.meta({
      description: 'Profile or post links, @handles, @name@server, u/names, Bluesky DIDs or display names.',
    }),
    excludedRepos: entriesIn.meta({ description: 'GitHub repositories: owner/name, or a link to one.' }),
    subreddits: clearable(
      z.strictObject({
        only: entriesIn.meta({ description: 'Only Reddit posts of these subreddits are collected.' }),
        excluded: entriesIn.meta({ description: 'Posts of these subreddits are dropped.' }),
      }),
      { only: [], excluded: [] },
    ),
    ifVersion: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Refuses the update if the filters have another version.' }),
  }),
  status: 200,
  output: filters,
  errors: ['stale_version'],
  tool: {
    name: 'update_filters',
    title: 'Update workspace filters',
    destructive: false,
    idempotent: true,
    openWorld: true,
  },
  run: (context, { body }) => updateFilters(context, body),
})
