import { z } from 'zod'
import { explainKeyword } from '../../commands/keywords/explain-keyword.ts'
import { EXPLAINED_STEPS } from '../../commands/keywords/explain-steps.ts'
import { REJECTION_REASONS, REJECTIONS } from '../../domain/keyword/rejection.ts'
import { PLATFORMS } from '../../domain/platform/platforms.ts'
import { POST_LIMITS } from '../../domain/post/post.ts'
import { defineOperation } from '../definition.ts'
import { idIn, idOut, lineIn, textIn, textOut, timeIn, timeOut } from '../shapes.ts'

const DETAIL_MOST = 5000

const step = z
  .strictObject({
    step: z.enum(EXPLAINED_STEPS),
    passed: z
      .boolean()
      .nullable()
      .meta({
        description:
          'Null where it cannot be told from what is known of the post, such as a filter of places when nobody ' +
          'said where it stands.',
      }),
    detail: textOut(DETAIL_MOST),
  })
  .meta({ id: 'ExplainedStep', description: 'One thing that a post has to pass to become a mention.' })

const url = lineIn(1, POST_LIMITS.addressCharacters)
const explaining = z.union([
  z.strictObject({
    url: url.meta({ description: 'The address of a post that the workspace has. Nothing is fetched.' }),
  }),
  z.strictObject({
    text: textIn(1, POST_LIMITS.textBytes),
    title: lineIn(1, POST_LIMITS.titleCharacters).nullable().optional(),
    url: url.optional().meta({
      description: 'Says in which repository or subreddit the post stands, and on which platform unless platform does.',
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
  summary: 'Explain what a keyword makes of a post',
  description:
    'Says step by step why a post did or did not become a mention of the keyword, by its rules as they are now: ' +
    'the term and where it stands, its boundaries and case, ' +
    'the platform, authors, excluded and required terms, the filters of the workspace, mute, monthly limit and ' +
    'time. Give the address of a post that the workspace has, ' +
    'or the text of any post. Nothing is fetched, stored or billed; as a POST it needs a credential that may write.',
  tag: 'Keywords',
  params: { id: idIn('kw') },
  body: explaining,
  status: 200,
  output: z.strictObject({
    known: z
      .boolean()
      .meta({ description: 'False when only an address was given and the workspace has no such post.' }),
    matched: z
      .boolean()
      .nullable()
      .meta({
        description:
          'Whether nothing that is known keeps the post from being a mention; null when the post is not known, or ' +
          'its platform or place matters and is not.',
      }),
    reason: textOut(DETAIL_MOST).meta({
      description:
        'The first step that the post does not pass or that decides and cannot be told, or what became of it.',
    }),
    steps: z.array(step).max(EXPLAINED_STEPS.length),
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
      .meta({ description: 'The mention that the post is.' }),
    rejected: z
      .strictObject({ reason: z.enum(REJECTION_REASONS), at: timeOut })
      .nullable()
      .meta({ description: 'What was noted when the post was dropped within the last 24 hours.' }),
  }),
  errors: [],
  // One text can be long and rules many: this is for looking into single posts.
  limit: { name: 'explain', perMinute: 60 },
  tool: {
    name: 'explain_keyword',
    title: 'Explain what a keyword makes of a post',
    destructive: false,
    idempotent: true,
  },
  run: (context, { params, body }) => explainKeyword(context, params.id, body),
})
