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
  summary: 'Change a keyword',
  description:
    'Changes what is named and leaves the rest. New rules apply to posts that come from then on; stored mentions ' +
    'stay. The term itself cannot change.',
  tag: 'Keywords',
  params: { id: idIn('kw') },
  body: z.strictObject({
    kind: kindIn.optional(),
    muted: z
      .boolean()
      .optional()
      .meta({ description: 'False also ends a pause, when the balance covers another day.' }),
    platforms: platformsIn.optional(),
    context: contextIn.optional(),
    matching: clearable(matchingIn, DEFAULT_MATCHING).meta({
      description:
        'A rule that is absent stays; an empty list or null clears it, and null in place of all clears every ' +
        'rule. Like one of platforms or context, a change begins health anew, and with it the day of history that ' +
        'spikes need; context leaves that of mention.spike.',
    }),
    cap: capIn.optional().meta({ description: 'Null removes the limit.' }),
    groupId: idIn('grp').optional().meta({ description: 'Moves the keyword to another group.' }),
    reviewSources: clearable(reviewSourcesIn, []).meta({
      description:
        'The full new list, or null for none. Pages that are listed already keep their start; reviews of pages ' +
        'that go stay.',
    }),
  }),
  status: 200,
  output: keyword,
  errors: ['duplicate_keyword', 'insufficient_balance'],
  tool: { name: 'update_keyword', title: 'Change a keyword', destructive: false, idempotent: true, openWorld: true },
  run: (context, { params, body }) => updateKeyword(context, params.id, body),
})
