import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { CollectContext, SourceReply, StreamSource } from '../contract.ts'
import { type ListedItem, listedItems, type NewestLists, pollNewest } from '../newest-lists.ts'
import { readItems } from '../read-items.ts'
import { readRss } from '../read-rss.ts'
import { readJson } from '../reply-fault.ts'
import { enrich } from './enrich.ts'
import { commentToPost, SITE, storyToPost } from './to-post.ts'
import { commentItem, stories, story } from './wire.ts'

type List = 'stories' | 'comments'

const LISTS: NewestLists<List> = {
  platform: 'lobsters',
  lists: ['stories', 'comments'],
  read: (context, list, page) => (list === 'stories' ? readStories(context, page) : readComments(context, page)),
  // Of 25 stories or 20 comments. A poll needs the first only, an absence of a day ten.
  mostPages: 10,
  // Deleted items let older ones move up, but none from longer ago than the pages that are read.
  overlapSeconds: 7 * 86_400,
  arriveLate: false,
  mostIds: 500,
}

/** Every story and comment of the site. */
export function lobsters(): StreamSource {
  return {
    platform: 'lobsters',
    hosts: [new URL(SITE).host],
    // The site admits five requests a second and 60 a minute, and asks for a second between two.
    limits: [
      { quota: 'requests', kind: 'paced', most: 1, perSeconds: 1, burst: 1 },
      { quota: 'requests', kind: 'paced', most: 50, perSeconds: 60, burst: 20 },
    ],
    mode: 'stream',
    pollSeconds: PLATFORM_FACTS.lobsters.pollSeconds,
    poll: (context, cursor) => pollNewest(context, cursor, LISTS),
    enrich,
  }
}

async function readStories(context: CollectContext, page: number): Promise<ListedItem[]> {
  const reply = await ask(context, page === 1 ? '/newest.json' : `/newest/page/${page}.json`)
  const part = { list: 'stories' }
  const found = readItems(readJson(reply, stories, context.at), story, context, 'lobsters', { part })
  return listedItems(found.map((item) => storyToPost(item, context.at)))
}

async function readComments(context: CollectContext, page: number): Promise<ListedItem[]> {
  const reply = await ask(context, page === 1 ? '/comments.rss' : `/comments/page/${page}.rss`)
  const part = { list: 'comments' }
  const found = readItems(readRss(reply, context.at), commentItem, context, 'lobsters', { part })
  return listedItems(found.map((item) => commentToPost(item, context.at)))
}

function ask(context: CollectContext, path: string): Promise<SourceReply> {
  return context.fetch(`${SITE}${path}`, { cost: { requests: 1 } })
}
