import { z } from 'zod'
import { createKeywords } from '../../commands/keywords/create-keywords.ts'
import { KEYWORD_LIMITS } from '../../domain/keyword/keyword.ts'
import { defineOperation } from '../definition.ts'
import { countOut, fieldProblemOut, requestIdIn, textOut } from '../shapes.ts'
import { keyword, newKeywordIn } from './shapes.ts'

const error = z.strictObject({
  code: z.enum(['validation_error', 'duplicate_keyword', 'insufficient_balance', 'keyword_limit_reached', 'not_found']),
  message: textOut(2000),
  details: z
    .array(fieldProblemOut)
    .max(50)
    .optional()
    .meta({ description: 'For `validation_error`: every invalid field, named within the keyword.' }),
  existingId: textOut(40).optional().meta({ description: 'For a duplicate: the existing keyword.' }),
})

export const createKeywordsOperation = defineOperation({
  id: 'create-keywords',
  method: 'POST',
  path: '/v1/keywords/batch',
  access: 'write',
  summary: 'Create keywords',
  description: [
    `Starts watching up to ${KEYWORD_LIMITS.batch} terms. Each has its own outcome, in the order of the request; a ` +
      'refused keyword does not prevent the others.',
    'Limit and balance are checked as if the keywords were created one after the other. An invalid body is refused ' +
      'as a whole.',
    'Short links of review pages are not followed, and there are no hints on terms.',
    'Outcomes are stored for the `requestId`, refusals included: retry refused keywords with another one.',
  ].join(' '),
  tag: 'Keywords',
  body: z.strictObject({
    keywords: z.array(z.strictObject(newKeywordIn)).min(1).max(KEYWORD_LIMITS.batch),
    requestId: requestIdIn.optional(),
  }),
  status: 200,
  output: z.strictObject({
    data: z
      .array(
        z.strictObject({
          index: countOut.meta({ description: 'Index in the request, from 0.' }),
          status: z.enum(['created', 'refused']),
          keyword: keyword.nullable().meta({ description: 'Null if it was refused.' }),
          error: error.nullable().meta({ description: 'Why it was refused; null if it was created.' }),
        }),
      )
      .max(KEYWORD_LIMITS.batch),
    created: countOut,
    refused: countOut,
  }),
  errors: ['request_conflict'],
  tool: {
    name: 'create_keywords',
    title: 'Create keywords',
    destructive: false,
    idempotent: false,
    openWorld: true,
  },
  run: (context, { body: { keywords, requestId } }) => createKeywords(context, keywords, requestId),
})
