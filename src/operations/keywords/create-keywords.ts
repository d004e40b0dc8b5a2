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
    .meta({ description: 'Of a validation_error every field that is wrong, named within the keyword.' }),
  existingId: textOut(40).optional().meta({ description: 'Of a duplicate the keyword that exists.' }),
})

export const createKeywordsOperation = defineOperation({
  id: 'create-keywords',
  method: 'POST',
  path: '/v1/keywords/batch',
  access: 'write',
  summary: 'Create many keywords',
  description: [
    `Begins to watch up to ${KEYWORD_LIMITS.batch} terms. Each has an outcome of its own, in the order in which ` +
      'they were sent, and what is refused keeps nothing else from being made.',
    'Limit and balance are judged as if the keywords came one after the other. A body that is not in the ' +
      'documented form is refused as a whole.',
    'Links of review pages that hide where they lead are not followed here, and hints on terms come with single ' +
      'keywords only.',
    'Outcomes are kept for the requestId also when all are refused: send what was refused again under another one.',
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
          index: countOut.meta({ description: 'The place among the keywords that were sent, from 0.' }),
          status: z.enum(['created', 'refused']),
          keyword: keyword.nullable().meta({ description: 'Null when it was refused.' }),
          error: error.nullable().meta({ description: 'Why it was refused; null when it was created.' }),
        }),
      )
      .max(KEYWORD_LIMITS.batch),
    created: countOut,
    refused: countOut,
  }),
  errors: ['request_conflict'],
  tool: {
    name: 'create_keywords',
    title: 'Create many keywords',
    destructive: false,
    idempotent: false,
    openWorld: true,
  },
  run: (context, { body: { keywords, requestId } }) => createKeywords(context, keywords, requestId),
})
