import { z } from 'zod'
import { SEARCH_STATUSES } from '../../commands/search/ask-platform.ts'
import { searchPlatforms } from '../../commands/search/search-platforms.ts'
import { SEARCH_PLATFORMS } from '../../domain/platform/platforms.ts'
import { defineOperation } from '../definition.ts'
import { matchingIn, termIn } from '../keywords/shapes.ts'
import { author, post } from '../mentions/shapes.ts'
import { countOut, textOut, wholeIn } from '../shapes.ts'

const MOST_POSTS = 50

const found = z
  .strictObject({
    post,
    author: author.nullable(),
    matched: z.boolean().meta({ description: 'Whether a keyword with these rules would match the post.' }),
    reason: textOut(700)
      .nullable()
      .meta({ description: 'Rule that rejects the post, in a sentence; null if it matches.' }),
  })
  .meta({ id: 'FoundPost', description: 'A post found by a live search. It is not stored.' })

const searched = z
  .strictObject({
    platform: z.enum(SEARCH_PLATFORMS),
    status: z.enum(SEARCH_STATUSES),
    count: countOut.meta({ description: 'Posts the platform returned, even before it failed.' }),
    tookMs: countOut,
  })
  .meta({ id: 'SearchedPlatform', description: 'Result of a live search on one platform.' })

export const searchPlatformsOperation = defineOperation({
  id: 'search-platforms',
  method: 'POST',
  path: '/v1/search',
  access: 'write',
  summary: 'Search platforms',
  description:
    'Searches platforms now and matches the posts as a keyword with this term and these rules would, ' +
    'as a preview before creating it. Rejected posts are returned with the reason, after matching ' +
    'posts. Nothing is stored or billed.',
  tag: 'Search',
  body: z.strictObject({
    query: termIn.meta({ description: 'Term of the keyword; the same rules apply.' }),
    platforms: z
      .array(z.enum(SEARCH_PLATFORMS))
      .min(1)
      .max(SEARCH_PLATFORMS.length)
      .transform((platforms) => [...new Set(platforms)])
      .optional()
      .meta({
        description:
          'Default: every platform that can be searched live. If a single named platform fails, the ' +
          'request fails.',
      }),
    matching: matchingIn.optional(),
    limit: wholeIn(1, MOST_POSTS).default(25).meta({ description: 'Number of posts to return, newest first.' }),
  }),
  status: 200,
  output: z.strictObject({
    data: z.array(found).max(MOST_POSTS),
    sources: z.array(searched).max(SEARCH_PLATFORMS.length),
  }),
  errors: ['source_unavailable', 'source_timeout'],
  limit: { name: 'live-search', perMinute: 20 },
  tool: {
    name: 'search_platforms',
    title: 'Search platforms',
    destructive: false,
    idempotent: true,
    openWorld: true,
  },
  run: (context, { body }) => searchPlatforms(context, body, context.signal),
})
