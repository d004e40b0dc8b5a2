import { z } from 'zod'
import type { Platform } from '../domain/platform/platforms.ts'
import type { Post } from '../domain/post/post.ts'
import type { CollectContext, Cursor, SourceBatch } from './contract.ts'
import { advanceFlow, flowFrom, type SeenFlow, type SeenRules, seenEntries, seenEntry } from './seen-flow.ts'
import { walkBack, warnOfCut } from './walk-back.ts'

/** The first poll takes what is at most this old. */
const FIRST_LOOK_BACK_SECONDS = 60

export interface ListedItem {
  nativeId: string
  /** The platform's time. */
  seconds: number
  /** Called for new items only. Null for an item that makes no post, such as a removed one. */
  toPost(): Post | null
}

/** A platform, or a server of one, whose newest items are shown in lists, such as one of posts and one of comments. */
export interface NewestLists<List extends string> {
  platform: Platform
  /** For the log. */
  part?: string
  lists: readonly List[]
  /** Newest first; empty behind the last page. Pages count from 1. */
  read(context: CollectContext, list: List, page: number): Promise<ListedItem[]>
  /** Of one list in a poll. */
  mostPages: number
  /** Seconds behind the newest item in which items may still appear. */
  overlapSeconds: number
  /** Whether new items may stand below known ones, so that a poll reads the whole overlap. */
  arriveLate: boolean
  mostIds: number
}

type ListsPosition<List extends string> = { sinceSeconds: number } & { flows: Record<List, SeenFlow> }

/** What is new in every list since the cursor, list after list, oldest first. */
export async function* pollNewest<List extends string>(
  context: CollectContext,
  cursor: Cursor | null,
  lists: NewestLists<List>,
): AsyncIterable<SourceBatch> {
  const position = positionFrom(cursor, Math.floor(context.at.getTime() / 1000), lists.lists)
  let handedOver = false
  for (const list of lists.lists) {
    const fresh = await newItems(context, position, lists, list)
    if (fresh.length === 0) continue
    handedOver = true
    const events = fresh.flatMap((item): SourceBatch['events'] => {
      const post = item.toPost()
      return post === null ? [] : [{ kind: 'post', post }]
    })
    yield { events, cursor: toCursor(position) }
  }
  // An empty first poll still needs a cursor.
  if (!handedOver && cursor === null) yield { events: [], cursor: toCursor(position) }
}

async function newItems<List extends string>(
  context: CollectContext,
  position: ListsPosition<List>,
  lists: NewestLists<List>,
  list: List,
): Promise<ListedItem[]> {
  const { platform, part, mostPages, overlapSeconds, mostIds, arriveLate } = lists
  const flow = position.flows[list]
  const rules: SeenRules = { overlapSeconds, mostIds, sinceSeconds: position.sinceSeconds }
  const fromSeconds = flowFrom(flow, rules)
  const { items, cut } = await walkBack<ListedItem>({
    mostPages,
    read: (page) => lists.read(context, list, page),
    isKnown: ({ nativeId, seconds }) => seconds < fromSeconds || (!arriveLate && flow.seen.has(nativeId)),
  })
  if (cut) warnOfCut(context, { platform, list, pages: mostPages, ...(part === undefined ? {} : { part }) })
  const oldestFirst = items.sort((a, b) => a.seconds - b.seconds || (a.nativeId < b.nativeId ? -1 : 1))
  return advanceFlow(flow, oldestFirst, Math.floor(context.at.getTime() / 1000), rules)
}

/** Each list has its newest time, as `<list>Seconds`, and the ids within the overlap, as `id:seconds`. */
function positionFrom<List extends string>(
  cursor: Cursor | null,
  atSeconds: number,
  lists: readonly List[],
): ListsPosition<List> {
  const start = atSeconds - FIRST_LOOK_BACK_SECONDS
  const sinceSeconds = cursor === null ? start : z.int().parse(cursor['sinceSeconds'])
  const flows = lists.map((list): [List, SeenFlow] => {
    if (cursor === null) return [list, { newestSeconds: start, seen: new Map() }]
    const newestSeconds = z.int().parse(cursor[`${list}Seconds`])
    return [list, { newestSeconds, seen: new Map(z.array(z.string()).parse(cursor[list]).map(seenEntry)) }]
  })
  return { sinceSeconds, flows: Object.fromEntries(flows) as Record<List, SeenFlow> }
}

function toCursor<List extends string>({ sinceSeconds, flows }: ListsPosition<List>): Cursor {
  const fields = Object.entries<SeenFlow>(flows).flatMap(([list, flow]) => [
    [`${list}Seconds`, flow.newestSeconds],
    [list, seenEntries(flow)],
  ])
  return { sinceSeconds, ...Object.fromEntries(fields) }
}

/** From a post; null makes no item. */
export function listedItems(posts: readonly (Post | null)[]): ListedItem[] {
  return posts.flatMap((post) =>
    post === null ? [] : [{ nativeId: post.nativeId, seconds: secondsOf(post), toPost: () => post }],
  )
}

function secondsOf({ publishedAt }: Post): number {
  return Math.floor(publishedAt.getTime() / 1000)
}
