import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, mention, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted } from '../../../test/world.ts'
import { ingestPosts, type NewMention } from '../../commands/mentions/ingest-posts.ts'
import { MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { listMentions } from './list-mentions.ts'
import { EVERY_MENTION } from './search.ts'

let keywords: TestKeyword[]
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  // One for each writer: keywords that are counted up by several at once would keep the others waiting.
  keywords = [await makeKeyword(acme), await makeKeyword(acme), await makeKeyword(acme)]
})

const RELEVANT = { ...EVERY_MENTION, filters: [{ relevant: true }] }

async function page(cursor: string | null, limit = 3, search = RELEVANT) {
  const { data, nextCursor, resumeCursor } = accepted(
    await listMentions(acme, search, { sort: 'oldest', limit, cursor }),
  )
  return { ids: data.map(({ id }) => id), nextCursor, resumeCursor: resumeCursor! }
}

/** Everything that there is to see by now, page by page. */
async function follow(from: string | null) {
  const ids: string[] = []
  let cursor = from
  for (;;) {
    const { ids: shown, nextCursor, resumeCursor } = await page(cursor)
    ids.push(...shown)
    cursor = resumeCursor
    if (nextCursor === null) return { ids, cursor }
  }
}

/** A transaction that has made its mentions and ends when it is told to. */
function begin(keyword: TestKeyword, posts: number) {
  let end: () => void = () => undefined
  const told = new Promise<void>((resolve) => {
    end = resolve
  })
  let made: (mentions: NewMention[]) => void = () => undefined
  const mentions = new Promise<NewMention[]>((resolve) => {
    made = resolve
  })
  const matched = Array.from({ length: posts }, () => matchedBy(makePost(world), [keyword]))
  const done = world.db.transaction(async (tx) => {
    const at = world.clock.now()
    made(
      await ingestPosts(tx, matched, {
        at,
        now: () => world.clock.now(),
        metered: false,
        leasedUntil: plus(at, MINUTE_MS),
      }),
    )
    await told
  })
  const commit = () => {
    end()
    return done
  }
  return { mentions, commit }
}

test('what is being stored, waits for its score or is of this moment is not passed over', async () => {
  const first = await mention(world, keywords[0]!)
  await score(world, [first], { relevance: 90 })
  expect((await page(null)).ids).toEqual([])
  await world.clock.advance(5 * SECOND_MS)
  const slow = begin(keywords[1]!, 1)
  const [late] = await slow.mentions
  await world.clock.advance(MINUTE_MS)
  const unscored = await mention(world, keywords[0]!)
  const last = await mention(world, keywords[0]!)
  await score(world, [last], { relevance: 80 })
  await world.clock.advance(MINUTE_MS)

  const begun = await follow(null)
  expect(begun.ids).toEqual([toId('mtn', first.mentionId)])
  await slow.commit()
  expect((await follow(begun.cursor)).ids).toEqual([])
  await score(world, [late!], { relevance: 70 })
  const further = await follow(begun.cursor)
  expect(further.ids).toEqual([toId('mtn', late!.mentionId)])
  await score(world, [unscored], { relevance: 10 })
  const end = await follow(further.cursor)
  expect(end.ids).toEqual([toId('mtn', last.mentionId)])
  expect(await follow(end.cursor)).toMatchObject({ ids: [] })
})

test('a page that is full names the next one, and the last one names none but where to go on', async () => {
  const { cursor } = await follow(null)
  const made = await store(
    world,
    Array.from({ length: 5 }, () => matchedBy(makePost(world), [keywords[0]!])),
  )
  await score(world, made)
  await world.clock.advance(MINUTE_MS)
  const ids = made.map(({ mentionId }) => toId('mtn', mentionId))
  const full = await page(cursor)
  expect(full).toMatchObject({ ids: ids.slice(0, 3), nextCursor: expect.any(String) })
  expect(await page(full.nextCursor)).toMatchObject({ ids: ids.slice(3), nextCursor: null })
  expect(await page(full.resumeCursor)).toMatchObject({ ids: ids.slice(3), nextCursor: null })
  // The place where a list goes on outlives the mention that stood there.
  await world.db.query(sql`delete from mention where id = any(${made.map((mention) => mention.mentionId)}::uuid[])`)
  expect(await page(full.resumeCursor)).toMatchObject({ ids: [], nextCursor: null })
  const gone = await listMentions(acme, RELEVANT, { sort: 'oldest', limit: 3, cursor: full.nextCursor })
  expect(gone).toMatchObject({ code: 'not_found' })
})

test('who polls while many store and score at once sees every relevant mention once, in the order of the matches', async () => {
  let { cursor } = await follow(null)
  let random = 7
  const upTo = (most: number) => {
    random = (random * 48_271) % (2 ** 31 - 1)
    return random % (most + 1)
  }
  const relevant: Uuid[] = []
  const write = async (keyword: TestKeyword) => {
    for (let batch = 0; batch < 14; batch += 1) {
      const own = begin(keyword, 1 + upTo(2))
      const mentions = await own.mentions
      await wait(upTo(40))
      await own.commit()
      await wait(upTo(40))
      for (const mention of mentions.toSorted(() => upTo(2) - 1)) {
        const relevance = upTo(1) === 0 ? 20 : 90
        if (relevance === 90) relevant.push(mention.mentionId)
        await score(world, [mention], upTo(5) === 0 && relevance === 20 ? null : { relevance }, { metered: false })
      }
    }
  }
  let over = false
  const writers = Promise.all(keywords.map(write)).finally(() => {
    over = true
  })
  const seen: string[] = []
  const poll = async () => {
    const { ids, cursor: further } = await follow(cursor)
    seen.push(...ids)
    cursor = further
  }
  while (!over) {
    await world.clock.advance(2 * SECOND_MS)
    await poll()
  }
  await writers
  await world.clock.advance(MINUTE_MS)
  await poll()
  expect(seen).toEqual(relevant.toSorted().map((id) => toId('mtn', id)))
  expect(seen.length).toBeGreaterThan(20)
}, 60_000)
