import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lengthOf } from '../../../test/length.ts'
import { makeKeyword, makePost, matchedBy, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { createMetrics } from '../../../test/metrics.ts'
import { ruled } from '../../../test/stand-ins/pipeline.ts'
import { useFreshResource, useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace, World } from '../../../test/world.ts'
import { startLocalReceiver } from '../../channels/local-receiver.suite.ts'
import type { Post } from '../../domain/post/post.ts'
import { postId } from '../../domain/post/post-id.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { DeliverStage } from '../../pipeline/deliver/deliver.ts'
import { verifyLedger } from '../../queries/wallet/verify-ledger.ts'
import { sql } from '../../store/database.ts'
import { recordAccountEvents } from '../../store/workspace/account-events.ts'
import { removePosts } from '../mentions/remove-posts.ts'
import { runDay } from '../wallet/daily-run.ts'
import { nextRun } from '../wallet/wallet-setting.suite.ts'
import { moveWorkspace } from './move-workspace.ts'
import { AWAY, movingBetween, passed } from './moving.suite.ts'

const secretKey = 'ab'.repeat(32)
const home = useWorld({ secretKey })
const away = useWorld({ secretKey: 'cd'.repeat(32) })

/** What a platform says, in its order: a post, that an earlier one is gone, or at some time what nobody looks for. */
type Said = { post: Post } | { gone: Post } | { at: Date }

/** A cell that reads a platform: it matches what a matcher would that knows every keyword of its database. */
class Reading {
  private at: number
  private readonly world: World
  private readonly keyword: TestKeyword
  private readonly said: readonly Said[]

  constructor(world: World, keyword: TestKeyword, said: readonly Said[], at: number) {
    this.world = world
    this.keyword = keyword
    this.said = said
    this.at = at
  }

  async read(count: number): Promise<void> {
    for (const end = Math.min(this.at + count, this.said.length); this.at < end; this.at += 1)
      await this.take(this.said[this.at]!)
  }

  private async take(said: Said): Promise<void> {
    const { world, keyword } = this
    const at = world.clock.now()
    const watched = await world.db.query(sql`select from keyword where id = ${keyword.uuid} and not muted`)
    if ('post' in said && watched.length > 0) await store(world, [matchedBy(said.post, [keyword])])
    if ('gone' in said)
      await world.db.transaction((tx) => removePosts(tx, [postId(said.gone.platform, said.gone.nativeId)], at))
    if ('gone' in said) return
    const newestAt = 'post' in said ? said.post.publishedAt : said.at
    await world.db.query(sql`
      insert into source_state as s (source, newest_at, updated_at) values ('bluesky', ${newestAt}, ${at})
      on conflict (source) do update set newest_at = greatest(s.newest_at, excluded.newest_at), updated_at = ${at}`)
  }
}

let posts = 0

function saidBy(script: readonly { gone: boolean }[]): Said[] {
  const said: Said[] = []
  for (const { gone } of script) {
    const earlier = said.findLast(
      (one) => 'post' in one && !said.some((other) => 'gone' in other && other.gone === one.post),
    )
    posts += 1
    const at = new Date(1_764_000_000_000 + posts * 1000)
    // A live platform is never quiet for long.
    if (gone && earlier !== undefined && 'post' in earlier) said.push({ gone: earlier.post }, { at })
    else said.push({ post: makePost(home, { nativeId: `post-${posts}`, publishedAt: at }) })
  }
  return said
}

const script = fc.record({
  said: fc.array(fc.record({ gone: fc.integer({ min: 0, max: 3 }).map((die) => die === 0) }), {
    minLength: 5,
    maxLength: 40,
  }),
  homeFirst: fc.nat(10),
  awayFirst: fc.nat(10),
  /** What each cell reads at a step of the move. */
  paces: fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { minLength: 1, maxLength: 20 }),
})

test('no mention is lost, none comes twice, and none of a removed post stays, whatever each cell reads', async () => {
  await fc.assert(
    fc.asyncProperty(script, async ({ said: form, homeFirst, awayFirst, paces }) => {
      const workspace = await home.workspace('Oracle')
      const keyword = await makeKeyword(workspace)
      const said = saidBy(form)
      // The other cell joins behind or ahead.
      const [here, there] = [new Reading(home, keyword, said, 0), new Reading(away, keyword, said, 0)]
      await here.read(homeFirst)
      await there.read(awayFirst)
      let steps = 0
      const step = async () => {
        const [ours, theirs] = paces[steps++ % paces.length]!
        if (steps % 5 === 0) {
          await here.read(ours)
          await there.read(theirs)
        }
      }
      const wait = async (milliseconds: number) => {
        await passed([home, away], Math.max(milliseconds, MINUTE_MS))
        await here.read(3)
        await there.read(1)
      }
      await moveWorkspace(movingBetween(home, away, workspace.workspaceId, { step, wait }), AWAY)
      await there.read(said.length)
      const wanted = said.flatMap((one) =>
        'post' in one && !said.some((other) => 'gone' in other && other.gone === one.post) ? [one.post] : [],
      )
      const found = await away.db.query<{ id: string }>(sql`
        select p.native_id as id from mention m join post p on p.id = m.post_id
        where m.workspace_id = ${workspace.workspaceId} order by 1`)
      expect(found.map(({ id }) => id)).toEqual(wanted.map(({ nativeId }) => nativeId).sort())
      const [counter] = await away.db.query<{ mentions: number }>(
        sql`select mentions from keyword_counter where keyword_id = ${keyword.uuid}`,
      )
      expect(counter!.mentions).toBe(wanted.length)
      for (const table of ['arrival', 'removed_meanwhile'])
        expect(await away.db.query(sql`select from ${sql.ref(table)}`)).toEqual([])
    }),
    { numRuns: lengthOf('MOVE_RUNS', { usual: 8, long: 100 }), endOnFailure: true },
  )
}, 600_000)

describe('deliveries that wait', () => {
  const receiver = useFreshResource(() => startLocalReceiver())

  function deliverAt(world: World, signal: AbortSignal): Promise<void> {
    const { channels, around, sealer } = world.services
    const options = {
      db: world.db,
      clock: world.clock,
      log: silentLog,
      metrics: createMetrics(),
      channels,
      around,
      sealer,
    }
    return new DeliverStage(options).run(signal)
  }

  test('are sent once, by one of the cells', { timeout: 60_000 }, async () => {
    const workspace = await home.workspace('Sending')
    await ruled(workspace, receiver.url, { events: ['wallet.low'] })
    const ending = new AbortController()
    const stages = [home, away].map((world) => deliverAt(world, ending.signal))
    const tell = async (world: World, number: number) =>
      await world.db.transaction((tx) =>
        recordAccountEvents(tx, [
          { workspaceId: workspace.workspaceId, event: 'wallet.low', at: world.clock.now(), data: { number } },
        ]),
      )
    for (let number = 0; number < 30; number += 1) await tell(home, number)
    await moveWorkspace(movingBetween(home, away, workspace.workspaceId), AWAY)
    await tell(away, 30)
    const isDone = async () =>
      (
        await away.db.query(
          sql`select from delivery where workspace_id = ${workspace.workspaceId} and status <> 'delivered'`,
        )
      ).length === 0
    while (!(await isDone())) await passed([away], 1000)
    ending.abort()
    await passed([home, away], MINUTE_MS)
    await Promise.all(stages)
    const ids = receiver.received.map(({ body }) => JSON.parse(body.toString()).id as string)
    expect(new Set(ids).size).toBe(31)
    expect(ids).toHaveLength(31)
  })
})

describe('money', () => {
  async function spending(): Promise<TestWorkspace> {
    const workspace = await home.workspace('Spending')
    const keyword = await makeKeyword(workspace)
    const made = await store(home, [matchedBy(makePost(home), [keyword]), matchedBy(makePost(home), [keyword])])
    await score(home, made.slice(0, 1))
    return workspace
  }

  const balanceOf = async ({ db }: World, { workspaceId }: TestWorkspace) =>
    (await db.query<{ units: number }>(sql`select balance_units as units from workspace where id = ${workspaceId}`))[0]!
      .units

  test('is charged once, and the ledger holds at both ends', async () => {
    const workspace = await spending()
    const { workspaceId } = workspace
    const staying = await spending()
    let ran = false
    const step = async () => {
      const frozen = await home.db.query(sql`select from workspace where id = ${workspaceId} and frozen`)
      if (ran || frozen.length === 0) return
      ran = true
      // The daily run comes while the workspace is on its way.
      nextRun(home)
      await runDay(home.services)
    }
    await moveWorkspace(movingBetween(home, away, workspaceId, { step }), AWAY)
    away.clock.set(home.clock.now())
    await runDay(away.services)
    await runDay(away.services)
    expect(await balanceOf(away, workspace)).toBe(await balanceOf(home, staying))
    for (const { db } of [home, away]) expect((await verifyLedger(db, { metered: true })).differences).toEqual([])
  })

  test('opens secrets with the key of the other cell', async () => {
    const workspace = await home.workspace('Sealed')
    const { body: channel } = await workspace.api('POST', '/v1/channels', {
      kind: 'webhook',
      url: 'https://receiver.example/',
      headers: { 'X-Token': 'known' },
    })
    const key = workspace.writeKey
    await moveWorkspace(movingBetween(home, away, workspace.workspaceId), AWAY)
    const shown = await away.api('GET', '/v1/channels', undefined, { key })
    expect(shown.body.data.map(({ id }: { id: string }) => id)).toEqual([channel.id])
    const [row] = await away.db.query<{ id: string; sealed: string }>(
      sql`select id, secret_sealed as sealed from channel where workspace_id = ${workspace.workspaceId}`,
    )
    expect(away.services.sealer.open(row!.sealed, `${workspace.workspaceId} ${row!.id}`)).toBe(channel.config.secret)
    expect(toId('org', workspace.workspaceId)).toBe(workspace.orgId)
  })
})
