import { createHash } from 'node:crypto'
import { z } from 'zod'
import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import { batchesOf } from '../../kernel/batches.ts'
import type { CollectContext, Cursor, SourceBatch, StreamSource } from '../contract.ts'
import { readItems } from '../read-items.ts'
import { readJson } from '../reply-fault.ts'
import { walkBack, warnOfCut } from '../walk-back.ts'
import { toPost } from './to-post.ts'
import { type Episode, episode, recentReply } from './wire.ts'

const HOST = 'api.podcastindex.org'
/** Of the newest episodes at the first poll, so that one of unexpected form does not count as all. */
const FIRST_PAGE = 10
/** With whole notes a page of 500 has a few megabytes. */
const PAGE = 500
const MOST_PAGES = 20
/** Episodes of a batch, so that a long absence is caught up with in steps. */
const BATCH = 500
/** A show that is new to the index brings its whole past. */
const OLDEST_SECONDS = 30 * 86_400

/** The highest id that was read: ids grow as the index finds episodes. */
const cursorShape = z.object({ highest: z.int().nonnegative() })

export interface PodcastsOptions {
  key: string
  secret: string
}

/** The notes of every new episode of the Podcast Index. */
export function podcasts(options: PodcastsOptions): StreamSource {
  return {
    platform: 'podcasts',
    hosts: [HOST],
    // None is documented; a poll takes one or two.
    limits: [{ quota: 'requests', kind: 'paced', most: 2, perSeconds: 1, burst: 2 }],
    mode: 'stream',
    pollSeconds: PLATFORM_FACTS.podcasts.pollSeconds,
    poll: (context, cursor) => (cursor === null ? begin(options, context) : poll(options, context, cursor)),
  }
}

/** Notes which episode is the newest, so that only later ones are new. Without one the next poll begins again. */
async function* begin(options: PodcastsOptions, context: CollectContext): AsyncIterable<SourceBatch> {
  const [newest] = await recent(options, context, { max: FIRST_PAGE })
  if (newest !== undefined) yield { events: [], cursor: { highest: newest.id } }
}

async function* poll(options: PodcastsOptions, context: CollectContext, cursor: Cursor): AsyncIterable<SourceBatch> {
  const { highest } = cursorShape.parse(cursor)
  const { items, cut } = await walkBack<Episode>({
    mostPages: MOST_PAGES,
    read: (_, last) => recent(options, context, { max: PAGE, ...(last && { before: last.id }) }),
    isKnown: ({ id }) => id <= highest,
  })
  if (cut) warnOfCut(context, { platform: 'podcasts', list: 'episodes', pages: MOST_PAGES })
  const fresh = new Map(items.filter(({ id }) => id > highest).map((item) => [item.id, item]))
  const byId = [...fresh.values()].sort((a, b) => a.id - b.id)
  for (const part of batchesOf(byId, BATCH)) {
    const events = part.flatMap((item): SourceBatch['events'] => eventOf(item, context.at))
    yield { events, cursor: { highest: part.at(-1)?.id ?? highest } }
  }
}

function eventOf(item: Episode, at: Date): SourceBatch['events'] {
  if (item.datePublished < at.getTime() / 1000 - OLDEST_SECONDS) return []
  const post = toPost(item, at)
  return post === null ? [] : [{ kind: 'post', post }]
}

/** By falling id. Without `fulltext` notes are cut after a hundred words. */
async function recent(
  { key, secret }: PodcastsOptions,
  context: CollectContext,
  parameters: { max: number; before?: number },
): Promise<Episode[]> {
  const url = new URL(`https://${HOST}/api/1.0/recent/episodes?fulltext`)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value))
  const seconds = String(Math.floor(context.at.getTime() / 1000))
  const reply = await context.fetch(url.href, {
    headers: {
      'x-auth-key': key,
      'x-auth-date': seconds,
      authorization: createHash('sha1').update(`${key}${secret}${seconds}`).digest('hex'),
    },
    cost: { requests: 1 },
  })
  return readItems(readJson(reply, recentReply, context.at).items, episode, context, 'podcasts')
}
