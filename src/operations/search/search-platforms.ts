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
    matched: z.boolean().meta({ description: 'Whether a keyword with these rules would make a mention of the post.' }),
    reason: textOut(700)
      .nullable()
      .meta({ description: 'Which rule drops the post, in a sentence; null when it matched.' }),
  })
  .meta({ id: 'FoundPost', description: 'A post that a platform offered to a live search. It is not stored.' })

const searched = z
  .strictObject({
    platform: z.enum(SEARCH_PLATFORMS),
    status: z.enum(SEARCH_STATUSES),
    count: countOut.meta({ description: 'Posts that the platform offered, also before it failed.' }),
    tookMs: countOut,
  })
  .meta({ id: 'SearchedPlatform', description: 'What became of a live search on one platform.' })

export const searchPlatformsOperation = defineOperation({
  id: 'search-platforms',
  method: 'POST',
  path: '/v1/search',
  access: 'write',
  summary: 'Search the platforms now',
  description:
    'Asks platforms for posts at this moment and judges them as a keyword with this term and these rules would, ' +
    'which previews a keyword before it is created. ' +
    'Posts that the rules drop are shown with the reason, after those that match when not all can be shown. ' +
    'Nothing is stored or billed.',
  tag: 'Search',
  body: z.strictObject({
    query: termIn.meta({ description: "What would be the keyword's term: the same rules apply." }),
    platforms: z
      .array(z.enum(SEARCH_PLATFORMS))
      .min(1)
      .max(SEARCH_PLATFORMS.length)
      .transform((platforms) => [...new Set(platforms)])
      .optional()
      .meta({
        description:
          'Every platform that answers while a caller waits when absent. When one is named and fails, so does the ' +
          'request.',
      }),
    matching: matchingIn.optional(),
    limit: wholeIn(1, MOST_POSTS).default(25).meta({ description: 'How many posts to show, the newest.' }),
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
    title: 'Search the platforms now',
    destructive: false,
    idempotent: true,
    openWorld: true,
  },
  run: (context, { body }) => searchPlatforms(context, body, context.signal),
})
