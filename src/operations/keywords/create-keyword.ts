import { z } from 'zod'
import { createKeyword } from '../../commands/keywords/create-keyword.ts'
import { defineOperation } from '../definition.ts'
import { idIn, requestIdIn } from '../shapes.ts'
import { capIn, contextIn, keyword, kindIn, matchingIn, platformsIn, reviewSourcesIn, termIn } from './shapes.ts'

export const createKeywordOperation = defineOperation({
  id: 'create-keyword',
  method: 'POST',
  path: '/v1/keywords',
  access: 'write',
  summary: 'Create a keyword',
  description: 'Begins to watch a term. Live feeds find it within a second. Nothing is charged before the next daily run; each scored match costs 0.8 cents.',
  tag: 'Keywords',
  body: z.strictObject({
    term: termIn,
    kind: kindIn.default('brand'),
    groupId: idIn('grp').optional().meta({ description: 'The default group when absent.' }),
    muted: z.boolean().default(false),
    platforms: platformsIn.default(null),
    context: contextIn.default(null),
    matching: matchingIn.optional(),
    cap: capIn.default(null),
    reviewSources: reviewSourcesIn.default([]),
    requestId: requestIdIn.optional(),
  }),
  status: 201,
  output: keyword,
  errors: ['duplicate_keyword', 'insufficient_balance', 'keyword_limit_reached', 'request_conflict', 'not_found'],
  tool: { name: 'create_keyword', title: 'Create a keyword', destructive: false, idempotent: false, openWorld: true },
  run: (context, { body }) => createKeyword(context, body),
})
