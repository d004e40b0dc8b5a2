import { z } from 'zod'
import { createKeyword } from '../../commands/keywords/create-keyword.ts'
import { HINT_CODES, HINT_RULE } from '../../domain/keyword/hints.ts'
import { KEYWORD_LIMITS } from '../../domain/keyword/keyword.ts'
import { defineOperation } from '../definition.ts'
import { requestIdIn, textOut } from '../shapes.ts'
import { keyword, newKeywordIn } from './shapes.ts'

const hint = z
  .strictObject({
    code: z.enum(HINT_CODES),
    message: textOut(500).meta({ description: 'Finding with the figures behind it.' }),
    suggestedContext: textOut(KEYWORD_LIMITS.contextMax)
      .optional()
      .meta({ description: 'A context that tells the meaning.' }),
    requiredTerms: z
      .array(textOut(KEYWORD_LIMITS.termMax))
      .max(HINT_RULE.companions)
      .optional()
      .meta({
        description:
          'Words that occur near the term more often than elsewhere, those from your own texts first. ' +
          'Choose from them.',
      }),
  })
  .meta({ id: 'KeywordHint', description: 'Advice on a new keyword. It does not prevent creation.' })

export const createKeywordOperation = defineOperation({
  id: 'create-keyword',
  method: 'POST',
  path: '/v1/keywords',
  access: 'write',
  summary: 'Create a keyword',
  description:
    'Starts watching a term. Live feeds match it within a second. Each scored match costs 0.8 cents; ' +
    'the daily charge starts with the next daily run.',
  tag: 'Keywords',
  body: z.strictObject({ ...newKeywordIn, requestId: requestIdIn.optional() }),
  status: 201,
  output: z.strictObject({
    ...keyword.shape,
    hints: z
      .array(hint)
      .max(HINT_CODES.length)
      .meta({ description: 'Advice about the term, usually empty. Returned only by this operation.' }),
  }),
  errors: ['duplicate_keyword', 'insufficient_balance', 'keyword_limit_reached', 'request_conflict', 'not_found'],
  tool: { name: 'create_keyword', title: 'Create a keyword', destructive: false, idempotent: false, openWorld: true },
  run: (context, { body }) => createKeyword(context, body),
})
