import { expect, test } from 'vitest'
import { madeUpPost } from '../../../test/makers.ts'
import { changeKeyword } from '../../../test/rows.ts'
import { eventually, posted, startPipeline, watched } from '../../../test/stand-ins/pipeline.ts'
import { createTape } from '../../../test/stand-ins/tape.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { planOf } from '../../domain/erasure/erasure-plan.ts'
import { DAY_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { type Database, sql } from '../../store/database.ts'
import { ErasedAuthors, listErased } from '../../store/erasure/erased-authors.ts'
import { Rejections } from './rejections.ts'
import { WatchedIndex } from './watched-index.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

const kept = async (keywordId: Uuid) =>
  (
    await world.db.query<{ excerpt: string; reason: string }>(
      sql`select excerpt, reason from rejected_post where keyword_id = ${keywordId} order by excerpt`,
    )
  ).map(({ excerpt, reason }) => `${excerpt}: ${reason}`)

test('posts that hold the term and are dropped leave their reason, those without it or of erased authors leave nothing', async () => {
  const tape = createTape('bluesky')
  const id = await watched(acme, 'rocket', {
    matching: { requiredTerms: ['acme'], excludedTerms: ['jobs'], excludedAuthors: ['Spammer'] },
  })
  const capped = await watched(acme, 'anvil')
  await world.db.transaction(async (tx) => {
    await changeKeyword({ db: tx }, capped, { pausedForCap: true })
    await tx.query(sql`insert into keyword_change (workspace_id, keyword_id) values (${acme.workspaceId}, ${capped})`)
  })
  await acme.api('PATCH', '/v1/filters', { excludedTerms: ['giveaway'] })
  const pipeline = await startPipeline(world, { sources: [tape.source] })
  const spammer = {
    id: 's',
    name: 'Spammer',
    handle: null,
    url: null,
    avatarUrl: null,
    followers: null,
    automated: null,
  }
  const at = world.clock.now()
  const erased = { ...spammer, id: 'e', name: 'Erased' }
  await world.db.transaction((tx) => listErased(tx, world.services.sealer, planOf('bluesky', [erased]), at))
  tape.add(
    posted(at, 'h rocket', { author: erased }),
    posted(at, 'i rocket acme', { author: erased }),
    posted(at, 'a rocket'),
    posted(at, 'b rocket acme jobs'),
    posted(at, 'c rocket acme', { author: spammer }),
    posted(at, 'd rocket acme giveaway'),
    posted(at, 'e rocket acme'),
    posted(at, 'f acme jobs'),
    posted(at, 'g anvil'),
  )
  await eventually(
    async () =>
      expect([...(await kept(id)), ...(await kept(capped))]).toEqual([
        'a rocket: required_terms',
        'b rocket acme jobs: excluded_term',
        'c rocket acme: excluded_author',
        'd rocket acme giveaway: workspace_filter',
        'g anvil: cap',
      ]),
    { clock: world.clock, stepMs: 100 },
  )
  const stored = () => world.db.query(sql`select body from post where body like '%rocket%'`)
  await eventually(async () => expect(await stored()).toEqual([{ body: 'e rocket acme' }]))
  tape.add({ kind: 'author_gone', platform: 'bluesky', authorId: 's' })
  await eventually(async () => expect((await kept(id)).filter((text) => text.startsWith('c'))).toEqual([]), {
    clock: world.clock,
    stepMs: 100,
  })
  await pipeline.stop()
})

test('a keyword that drops very many posts leaves the looks to one that drops a post now and then', async () => {
  const ending = new AbortController()
  const [loud, quiet] = [await watched(acme, 'torrent'), await watched(acme, 'trickle')]
  const rejections = new Rejections({
    db: world.db,
    clock: world.clock,
    log: silentLog,
    erased: new ErasedAuthors(world.services.sealer),
    signal: ending.signal,
  })
  const index = new WatchedIndex()
  const matching = { requiredTerms: ['x1'], requiredMode: 'any' as const, excludedTerms: [], caseSensitive: false }
  for (const [id, term] of [[loud, 'torrent'] as const, [quiet, 'trickle'] as const]) {
    index.put({
      workspaceId: acme.workspaceId,
      id,
      term,
      platforms: null,
      matching,
      excludedAuthorKeys: [],
      cappedMonth: null,
    })
  }
  let looks = 0
  const mayLook = () => {
    looks += 1
    return rejections.mayLook()
  }
  const match = (text: string) =>
    index.match(madeUpPost(world.clock.now(), text), world.clock.now(), {
      mayLook,
      wants: rejections.wants,
      dropped: (post, keyword, reason) => rejections.note(post, keyword, reason),
    })
  for (let number = 0; number < 5000; number += 1) match('torrent')
  match('trickle')
  // One more than the share: it found that nothing more is wanted.
  expect(looks).toBe(22)
  await eventually(
    async () => expect([(await kept(loud)).length, await kept(quiet)]).toEqual([20, ['trickle: required_terms']]),
    {
      clock: world.clock,
      stepMs: 100,
    },
  )
  await world.clock.advance(DAY_MS / 24)
  index.matcher.tellOfAll()
  for (let number = 0; number < 100; number += 1) match('torrent')
  await eventually(async () => expect((await kept(loud)).length).toBe(23), { clock: world.clock, stepMs: 100 })
  ending.abort()
  await rejections.ended
})

test('a flood takes a handful at once and the rest of its share over the day, holds nothing up, and outlives a database that is away', async () => {
  const ending = new AbortController()
  const id = await watched(acme, 'flood')
  let away = true
  const transaction: Database['transaction'] = (work) =>
    away ? Promise.reject(new Error('away')) : world.db.transaction(work)
  const rejections = new Rejections({
    db: { ...world.db, transaction },
    clock: world.clock,
    log: silentLog,
    erased: new ErasedAuthors(world.services.sealer),
    signal: ending.signal,
  })
  const flood = (count: number) => {
    for (let number = 0; number < count; number += 1)
      rejections.note(
        madeUpPost(world.clock.now(), 'flood'),
        { workspaceId: acme.workspaceId, keywordId: id },
        'excluded_term',
      )
  }
  flood(10)
  await world.clock.advance(2000)
  away = false
  flood(10_000)
  await eventually(async () => expect((await kept(id)).length).toBe(10), { clock: world.clock, stepMs: 100 })
  for (let hour = 0; hour < 24; hour += 1) {
    await world.clock.advance(DAY_MS / 24)
    flood(1000)
  }
  await eventually(async () => expect((await kept(id)).length).toBeGreaterThan(60), { clock: world.clock, stepMs: 100 })
  expect((await kept(id)).length).toBeLessThanOrEqual(100)
  let looks = 0
  while (rejections.mayLook() && looks < 10_000) looks += 1
  expect(looks).toBeLessThan(1000)
  ending.abort()
  await rejections.ended
})
