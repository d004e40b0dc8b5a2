import { beforeAll, expect } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store, type TestKeyword } from '../../../../test/mentions.ts'
import { liftWelcomeLimits } from '../../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../../test/use-world.ts'
import { stored, type TestWorkspace, type World } from '../../../../test/world.ts'
import { eraseAuthor } from '../../../commands/erasure/erase-author.ts'
import { planErasure } from '../../../commands/erasure/plan-erasure.ts'
import type { NewMention } from '../../../commands/mentions/ingest-posts.ts'
import { removePosts } from '../../../commands/mentions/remove-posts.ts'
import { foldPeople } from '../../../commands/people/fold-people.ts'
import { mergePeople } from '../../../commands/people/merge-people.ts'
import { updatePerson } from '../../../commands/people/update-person.ts'
import { INTENTS, SENTIMENTS } from '../../../domain/mention/classification.ts'
import { accountIdOf } from '../../../domain/person/account.ts'
import type { Platform } from '../../../domain/platform/platforms.ts'
import type { Author, Post } from '../../../domain/post/post.ts'
import { isRefusal } from '../../../domain/refusal/refusal.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, plus } from '../../../kernel/clock.ts'
import { toId, type Uuid } from '../../../kernel/ids.ts'
import { sql } from '../../../store/database.ts'
import { BLOCK_SIZE } from '../../../store/filter/block-sets.ts'
import { maintainBlocks } from '../../../store/filter/mention-blocks.ts'

export const MENTIONS = 3 * BLOCK_SIZE + 40
/** Scored only later, in blocks that stand by then. */
const LATE = 30
export const PLATFORMS: readonly Platform[] = ['bluesky', 'reddit', 'x']

let world: World
let acme: TestWorkspace
let keywords: TestKeyword[]
let posts: Post[]
let mentions: NewMention[]

/** Mentions in three blocks and in none, and what happens to them. */
export function useChangingMentions() {
  world = useWorld()
  acme = useWorkspace(world, 'Acme')
  beforeAll(makeAll)
  return { world, acme, keywords: () => keywords }
}

const pick = <Value>(list: readonly Value[], number: number): Value => list[number % list.length]!

function authorOf(number: number): Author {
  const id = `did:plc:author${number % 37}`
  const handle = `author${number % 37}.example`
  return {
    id,
    handle,
    name: handle,
    url: null,
    avatarUrl: null,
    followers: pick([null, 12, 40_000], number),
    automated: null,
  }
}

function postOf(number: number): Post {
  const views = number === 5 ? 2_000_000_000 : pick([null, 3, 90_000], number)
  return makePost(world, {
    platform: pick(PLATFORMS, number),
    // Most are found at once, some days later.
    publishedAt: plus(world.clock.now(), -pick([1, 1, 1, 1, 1, 1, 1, 5000], number) * MINUTE_MS - number),
    author: number % 11 === 0 ? null : authorOf(number),
    engagement: {
      likes: pick([null, 5, number === 5 ? 2_000_000_000 : 7], number),
      reposts: 1,
      replies: null,
      quotes: null,
      views,
      bookmarks: null,
    },
    replyTo: number % 4 === 1 ? { author: null, url: null, text: null } : null,
  })
}

async function makeAll(): Promise<void> {
  await liftWelcomeLimits(world)
  const groupId = stored('grp', await acme.group('Rockets'))
  keywords = [
    await makeKeyword(acme),
    await makeKeyword(acme, { kind: 'competitor', groupId }),
    await makeKeyword(acme, { kind: 'topic', groupId }),
  ]
  const end = world.clock.now()
  posts = []
  mentions = []
  for (let from = 0; from < MENTIONS; from += 50) {
    // The last ones are too young for a block.
    world.clock.set(plus(end, -Math.ceil(((MENTIONS - from) * 6 * DAY_MS) / MENTIONS)))
    const made = Array.from({ length: Math.min(50, MENTIONS - from) }, (_, at) => postOf(from + at))
    posts.push(...made)
    mentions.push(
      ...(await store(
        world,
        made.map((post, at) => matchedBy(post, [pick(keywords, from + at)])),
      )),
    )
  }
  world.clock.set(end)
  for (let kind = 0; kind < 12; kind += 1)
    await score(
      world,
      mentions.slice(LATE).filter((_, number) => number % 13 === kind),
      {
        relevance: 9 * kind,
        sentiment: pick(SENTIMENTS, kind),
        intents: INTENTS.filter((_, place) => place % (kind + 2) === 1),
        language: pick(['en', 'de', null], kind),
      },
      { metered: false },
    )
  await foldPeople(world.services)
  expect(mentions).toHaveLength(MENTIONS)
  await maintainBlocks(world.db, world.clock.now())
}

const change = (change: object) => async (at: number) =>
  expect((await acme.api('PATCH', `/v1/mentions/${toId('mtn', mentions[at]!.mentionId)}`, change)).status).toBeOneOf([
    200, 404, 409,
  ])
const accountOf = (at: number): Uuid =>
  accountIdOf(acme.workspaceId, posts[at]!.platform, posts[at]!.author ?? authorOf(at))!

/** What happens to mentions of blocks, by the number of one. */
export const HAPPENINGS = {
  closed: change({ status: 'done' }),
  snoozed: () => (at: number) => change({ snoozedUntil: plus(world.clock.now(), 3 * HOUR_MS).toISOString() })(at),
  judged: change({ relevant: false, sentiment: 'negative' }),
  'scored late': async (at: number) => {
    await score(
      world,
      [mentions[at % LATE]!],
      { relevance: 77, sentiment: 'positive', language: 'fr' },
      { metered: false },
    )
  },
  removed: async (at: number) => {
    const found = await world.db.query<{ id: Uuid }>(
      sql`select post_id as id from mention where id = ${mentions[at]!.mentionId}`,
    )
    const ids = found.map(({ id }) => id)
    await world.db.transaction((tx) => removePosts(tx, ids, world.clock.now()))
  },
  edited: async (at: number) => {
    await store(world, [matchedBy({ ...posts[at]!, text: `Another text ${at}` }, [pick(keywords, at)])], {
      metered: false,
    })
  },
  erased: async (at: number) => {
    const plan = await planErasure(world.services, authorOf(at).id!)
    if (!isRefusal(plan)) await eraseAuthor(world.services, plan)
  },
  muted: async (at: number) => {
    await updatePerson(acme, accountOf(at), { muted: at % 3 > 0 })
  },
  merged: async (at: number) => {
    await mergePeople(acme, accountOf(at), accountOf(at + 1))
  },
  'summed up again': async () => {
    await maintainBlocks(world.db, world.clock.now())
  },
  later: async () => {
    world.clock.set(plus(world.clock.now(), 2 * HOUR_MS))
  },
} as const
