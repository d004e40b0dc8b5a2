import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { FEED_MENTIONS, readFeed } from '../../queries/views/read-feed.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { streamed } from '../streamed.ts'
import { atomFeed } from './atom.ts'

export const getViewFeedOperation = defineOperation({
  id: 'get-view-feed',
  method: 'GET',
  path: '/v1/views/{id}/feed.xml',
  access: 'link',
  summary: "Get a view's feed",
  description:
    `Returns the ${FEED_MENTIONS} newest mentions of a view as an Atom feed. The address is the credential. Post ` +
    'texts are written by third parties.',
  tag: 'Views',
  params: { id: idIn('vw') },
  query: { token: z.string().min(1).max(100).meta({ description: 'Secret part of the address.' }) },
  status: 200,
  output: z.string().max(2_000_000).meta({ description: 'An Atom feed (RFC 4287).' }),
  streams: 'application/atom+xml; charset=utf-8',
  headers: {
    ETag: 'Value for `If-None-Match`: an unchanged feed is not sent again.',
    'Cache-Control': 'How long the feed may be cached.',
  },
  limit: { name: 'view feed', perMinute: 30 },
  errors: [],
  tool: { hidden: 'It is for feed readers; search_mentions returns the same with a viewId.' },
  async run(context, { params, query }) {
    const feed = await readFeed(context, params.id, query.token, context.readerOf)
    if (isRefusal(feed)) return feed
    const text = atomFeed(feed, context.publicUrl)
    const headers = {
      ETag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`,
      'Cache-Control': 'private, max-age=60',
    }
    return streamed(whole(text), headers)
  },
})

async function* whole(text: string) {
  yield text
}
