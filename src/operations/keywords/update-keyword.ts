import { z } from 'zod'
import { updateKeyword } from '../../commands/keywords/update-keyword.ts'
import { DEFAULT_MATCHING } from '../../domain/keyword/keyword.ts'
import { defineOperation } from '../definition.ts'
import { clearable, idIn } from '../shapes.ts'
import { capIn, contextIn, keyword, kindIn, matchingIn, platformsIn, reviewSourcesIn } from './shapes.ts'

export const updateKeywordOperation = defineOperation({
  id: 'update-keyword',
  method: 'PATCH',
  path: '/v1/keywords/{id}',
  access: 'write',
  summary: 'Update a keyword',
  description:
    'Updates the fields that are sent and keeps the others. New rules apply to new posts; stored ' +
    'mentions stay. The term cannot change.',
  tag: 'Keywords',
  params: { id: idIn('kw') },
  body: z.strictObject({
    kind: kindIn.optional(),
    muted: z.boolean().optional().meta({ description: 'False also ends a pause if the balance covers another day.' }),
    platforms: platformsIn.optional(),
    context: contextIn.optional(),
    matching: clearable(matchingIn, DEFAULT_MATCHING).meta({
      description:
        'Omitted rules stay; an empty list or null clears a rule, and null instead of the object clears ' +
        'all. A change of rules, platforms or context restarts the health statistics and, except for ' +
        'context, the 24 hours of history that `mention.spike` needs.',
    }),
    cap: capIn.optional().meta({ description: 'Null removes the limit.' }),
    groupId: idIn('grp').optional().meta({ description: 'Group to move the keyword to.' }),
    reviewSources: clearable(reviewSourcesIn, []).meta({
      description: 'Complete new list, or null for none. Listed pages keep their start; reviews of removed pages stay.',
    }),
  }),
  status: 200,
  output: keyword,
  errors: ['duplicate_keyword', 'insufficient_balance'],
  tool: { name: 'update_keyword', title: 'Update a keyword', destructive: false, idempotent: true, openWorld: true },
  run: (context, { params, body }) => updateKeyword(context, params.id, body),
})
