import { z } from 'zod'
import { explainKeyword } from '../../commands/keywords/explain-keyword.ts'
import { EXPLAINED_STEPS } from '../../commands/keywords/explanation.ts'
import { MATCH_FIELDS, TERM_MATCHES } from '../../commands/keywords/term-matches.ts'
import { REJECTION_REASONS, REJECTIONS } from '../../domain/keyword/rejection.ts'
import { PLATFORMS } from '../../domain/platform/platforms.ts'
import { POST_LIMITS } from '../../domain/post/post.ts'
import { defineOperation } from '../definition.ts'
import { idIn, idOut, lineIn, textIn, textOut, timeIn, timeOut } from '../shapes.ts'

const DETAIL_MOST = 5000

const step = z
  .strictObject({
    step: z.enum(EXPLAINED_STEPS),
    passed: z.boolean().nullable().meta({
      description: "Null if unknown, such as a filter on places when the post's place is not given.",
    }),
    detail: textOut(DETAIL_MOST),
  })
  .meta({ id: 'ExplainedStep', description: 'One check that a post must pass to become a mention.' })

const offset = z.int().min(0).max(POST_LIMITS.textBytes)
const match = z
  .strictObject({
    field: z.enum(MATCH_FIELDS).meta({ description: 'Field of the post.' }),
    from: offset.meta({ description: 'Offset of the first character, in UTF-16 units.' }),
    to: offset.meta({ description: 'Offset after the last character, in UTF-16 units.' }),
  })
  .meta({ id: 'TermMatch', description: 'A place of the term in a post.' })

const url = lineIn(1, POST_LIMITS.addressCharacters)
const explaining = z.union([
  z.strictObject({
    url: url.meta({ description: 'URL of a post that the workspace has. Nothing is fetched.' }),
  }),
  z.strictObject({
    text: textIn(1, POST_LIMITS.textBytes),
    title: lineIn(1, POST_LIMITS.titleCharacters).nullable().optional(),
    url: url.optional().meta({
      description: 'Repository or subreddit of the post; also its platform unless `platform` is given.',
    }),
    platform: z.enum(PLATFORMS).optional(),
    links: z.array(lineIn(1, POST_LIMITS.addressCharacters)).max(POST_LIMITS.links).optional(),
    author: z
      .strictObject({
        id: lineIn(1, 300).nullable().default(null),
        name: lineIn(1, 300).nullable().default(null),
        handle: lineIn(1, 300).nullable().default(null),
        url: lineIn(1, POST_LIMITS.addressCharacters).nullable().default(null),
      })
      .nullable()
      .optional(),
    publishedAt: timeIn().optional(),
  }),
])

export const explainKeywordOperation = defineOperation({
  id: 'explain-keyword',
  method: 'POST',
  path: '/v1/keywords/{id}/explain',
  access: 'write',
  summary: 'Explain a match',
  description:
    'Returns step by step why a post is or is not a mention of the keyword under its current rules. ' +
    'The steps are term, word boundaries and case, platform, authors, excluded and required terms, ' +
    'workspace filters, mute, monthly limit and time. `matches` lists the first 50 places of the term. ' +
    'Send the URL of a post that the workspace has, or any text. Nothing is fetched, stored or billed.',
  tag: 'Keywords',
  params: { id: idIn('kw') },
  body: explaining,
  status: 200,
  output: z.strictObject({
    known: z.boolean().meta({ description: 'False if only a URL was given and the workspace has no such post.' }),
    matched: z
      .boolean()
      .nullable()
      .meta({
        description:
          'Whether the post passes every check; null if the post, or a platform or place that matters, is ' +
          'unknown.',
      }),
    reason: textOut(DETAIL_MOST).meta({
      description: 'First failed or undecided step, or the outcome.',
    }),
    steps: z.array(step).max(EXPLAINED_STEPS.length),
    matches: z
      .array(match)
      .max(TERM_MATCHES)
      .meta({
        description:
          'Places of the term in the title and the text of the post, found by the rules of matching, without ' +
          'overlaps. Empty if the term is only in a link or nowhere. Offsets of a stored post refer to `title` and ' +
          '`text` of its mention. Offsets of a sent post refer to the sent title and text after cleaning. Cleaning ' +
          'means NFC, LF as line break, no control characters and no spaces at the ends.',
      }),
    post: z
      .strictObject({
        platform: z.enum(PLATFORMS).nullable(),
        url: textOut(POST_LIMITS.addressCharacters).nullable(),
        excerpt: textOut(REJECTIONS.excerpt),
        publishedAt: timeOut.nullable(),
      })
      .nullable(),
    mention: z
      .strictObject({ id: idOut('mtn') })
      .nullable()
      .meta({ description: 'Mention of the post.' }),
    rejected: z
      .strictObject({ reason: z.enum(REJECTION_REASONS), at: timeOut })
      .nullable()
      .meta({ description: 'Record of the post if it was rejected in the last 24 hours.' }),
  }),
  errors: [],
  // One text can be long and rules many: this is for looking into single posts.
  limit: { name: 'explain', perMinute: 60 },
  tool: {
    name: 'explain_keyword',
    title: 'Explain a match',
    destructive: false,
    idempotent: true,
  },
  run: (context, { params, body }) => explainKeyword(context, params.id, body),
})
