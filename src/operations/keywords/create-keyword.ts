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
    message: textOut(500).meta({ description: 'What was found, with the numbers by which it was judged.' }),
    suggestedContext: textOut(KEYWORD_LIMITS.contextMax)
      .optional()
      .meta({ description: 'A context that says which sense is meant.' }),
    requiredTerms: z
      .array(textOut(KEYWORD_LIMITS.termMax))
      .max(HINT_RULE.companions)
      .optional()
      .meta({
        description:
          'Words that stand beside the term more often than elsewhere; those of your own texts come first. Choose ' +
          'from them.',
      }),
  })
  .meta({ id: 'KeywordHint', description: 'A word of advice on a new keyword. It keeps nothing from being made.' })

export const createKeywordOperation = defineOperation({
  id: 'create-keyword',
  method: 'POST',
  path: '/v1/keywords',
  access: 'write',
  summary: 'Create a keyword',
  description:
    'Begins to watch a term. Live feeds find it within a second. Nothing is charged before the next daily run; ' +
    'each scored match costs 0.8 cents.',
  tag: 'Keywords',
  body: z.strictObject({ ...newKeywordIn, requestId: requestIdIn.optional() }),
  status: 201,
  output: z.strictObject({
    ...keyword.shape,
    hints: z
      .array(hint)
      .max(HINT_CODES.length)
      .meta({ description: 'What there is to say about the term; mostly nothing. Only this answer has it.' }),
  }),
  errors: ['duplicate_keyword', 'insufficient_balance', 'keyword_limit_reached', 'request_conflict', 'not_found'],
  tool: { name: 'create_keyword', title: 'Create a keyword', destructive: false, idempotent: false, openWorld: true },
  run: (context, { body }) => createKeyword(context, body),
})
