import { z } from 'zod'
import { REJECTION_REASONS, REJECTIONS } from '../../domain/keyword/rejection.ts'
import { PLATFORMS } from '../../domain/platform/platforms.ts'
import { POST_LIMITS } from '../../domain/post/post.ts'
import { listRejected } from '../../queries/keywords/list-rejected.ts'
import { defineOperation } from '../definition.ts'
import { idIn, pageIn, pageOut, textOut, timeOut } from '../shapes.ts'

const rejected = z
  .strictObject({
    platform: z.enum(PLATFORMS),
    url: textOut(POST_LIMITS.addressCharacters),
    excerpt: textOut(REJECTIONS.excerpt).meta({ description: 'How its title and text begin. Third-party material.' }),
    reason: z.enum(REJECTION_REASONS).meta({ description: 'What dropped it first.' }),
    publishedAt: timeOut,
    at: timeOut.meta({ description: 'When it was dropped.' }),
  })
  .meta({
    id: 'RejectedPost',
    description:
      'A post that held the term of a keyword and was dropped all the same. It was neither stored whole nor billed.',
  })

export const listRejectedOperation = defineOperation({
  id: 'list-rejected',
  method: 'GET',
  path: '/v1/keywords/{id}/rejected',
  access: 'read',
  summary: 'List posts that a keyword rejected',
  description:
    'A sample of the posts of the last 24 hours that held the term and were dropped by the rules of the keyword, ' +
    'by a filter of the workspace or by the monthly limit, ' +
    (`newest first: at most ${REJECTIONS.perDay} a day. While the keyword is muted nothing is looked at, and ` +
      'nothing is listed.'),
  tag: 'Keywords',
  params: { id: idIn('kw') },
  query: { ...pageIn },
  status: 200,
  output: pageOut(rejected).meta({ id: 'RejectedPage', description: 'A page of the posts that a keyword rejected.' }),
  errors: ['invalid_cursor'],
  tool: { name: 'list_rejected', title: 'List posts that a keyword rejected', destructive: false, idempotent: true },
  run: (context, { params, query }) =>
    listRejected(context, params.id, { limit: query.limit, cursor: query.cursor ?? null }),
})
