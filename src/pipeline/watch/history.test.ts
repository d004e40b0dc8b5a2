import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { madeUpPost } from '../../../test/makers.ts'
import { createMetrics } from '../../../test/metrics.ts'
import { eventually, watched } from '../../../test/stand-ins/pipeline.ts'
import { useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { ErasedAuthors } from '../../store/erasure/erased-authors.ts'
import { pruneKeywordChanges } from '../../store/keyword/keyword-changes.ts'
import { announceKeywords } from '../../store/keyword/keywords.ts'
import { openWatch, type Watch } from './watch.ts'

const TERMS = Array.from({ length: 6 }, (_, number) => `term${number}`)
const PATIENCE = { withinMs: 20_000 }

let workspaces: TestWorkspace[]
let templates: Uuid[]
let folder: string
const world = useWorld()
beforeAll(async () => {
  workspaces = [await world.workspace('Acme'), await world.workspace('Other')]
  templates = []
  for (const workspace of workspaces) templates.push(await watched(workspace, 'template', { muted: true }))
  folder = mkdtempSync(join(tmpdir(), 'earshot-history-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

/** What can happen to the keyword of a place: each place has a workspace and a term of its own. */
const places = fc.integer({ min: 0, max: 2 * TERMS.length - 1 })
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom('add', 'remove', 'mute', 'rule', 'case', 'cap', 'platform' as const),
      place: places,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('slow' as const), place: places }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'commit' as const }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { kind: 'cut' as const },
      { kind: 'restart' as const },
      { kind: 'crash' as const },
      { kind: 'copy' as const },
    ),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'prune' as const }) },
)
type Step = typeof step extends fc.Arbitrary<infer Kind> ? Kind : never
type Change = 'add' | 'remove' | 'mute' | 'rule' | 'case' | 'cap' | 'platform'

test('whatever happens to keywords, connections and processes, a watch ends up with what a fresh one reads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const history = await beginHistory()
      try {
        for (const step of steps) await history.take(step)
        await history.settle()
      } finally {
        await history.end()
      }
    }),
    { numRuns: 12 },
  )
}, 300_000)

interface History {
  take(step: Step): Promise<void>
  /** Everything is committed, and the watch comes to know what a fresh one knows. */
  settle(): Promise<void>
  end(): Promise<void>
}

async function beginHistory(): Promise<History> {
  const path = join(folder, 'keywords.index')
  const copy = join(folder, 'earlier.index')
  for (const file of [path, copy]) rmSync(file, { force: true })
  let slow: { place: number; finish(): Promise<void> } | null = null
  let process = await startProcess(path)

  const actions: Record<
    'slow' | 'commit' | 'cut' | 'restart' | 'crash' | 'copy' | 'prune',
    (place: number) => Promise<void>
  > = {
    async slow(place) {
      slow ??= { place, finish: await holdOpen((tx) => change(tx, 'rule', place)) }
    },
    async commit() {
      await slow?.finish()
      slow = null
    },
    cut: () =>
      world.admin(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`,
      ),
    async restart() {
      await process.stop()
      process = await startProcess(path)
    },
    // What was written when it ended is taken away: it finds the file of an earlier end, or none.
    async crash() {
      await process.stop()
      rmSync(path, { force: true })
      if (existsSync(copy)) copyFileSync(copy, path)
      process = await startProcess(path)
    },
    async copy() {
      if (existsSync(path)) copyFileSync(path, copy)
    },
    prune: async () => void (await pruneKeywordChanges(world.db, new Date('2100-01-01T00:00:00.000Z'))),
  }
  return {
    async take(item) {
      if (item.kind in actions)
        return await actions[item.kind as keyof typeof actions]('place' in item ? item.place : 0)
      const { kind, place } = item as { kind: Change; place: number }
      // The row that a slow transaction has locked would be waited for until it ends.
      if (slow?.place !== place) await world.db.transaction((tx) => change(tx, kind, place))
    },
    async settle() {
      await actions.commit(0)
      const fresh = await startProcess(null)
      const expected = known(fresh.watch)
      await fresh.stop()
      await eventually(() => expect(known(process.watch)).toEqual(expected), PATIENCE)
    },
    async end() {
      await actions.commit(0)
      await process.stop()
    },
  }
}

async function startProcess(snapshotPath: string | null): Promise<{ watch: Watch; stop(): Promise<void> }> {
  const ending = new AbortController()
  const watch = openWatch({
    db: world.db,
    clock: world.clock,
    log: silentLog,
    metrics: createMetrics(),
    erased: new ErasedAuthors(world.services.sealer),
    signal: ending.signal,
    snapshotPath,
    snapshotFrom: 0,
  })
  await watch.loaded
  return {
    watch,
    async stop() {
      ending.abort()
      await watch.ended
    },
  }
}

/** Everything that tells one state of the keywords from another, as matching shows it. */
function known(watch: Watch): unknown {
  const text = TERMS.join(' ')
  const posts = [text, text.toUpperCase(), `${text} spam`].flatMap((words) =>
    (['bluesky', 'hackernews'] as const).map((platform) => ({ ...madeUpPost(world.clock.now(), words), platform })),
  )
  const found = posts.map(
    (post) =>
      watch
        .match(post)
        ?.keywords.map(({ workspaceId, keywordId }) => `${workspaceId} ${keywordId}`)
        .sort() ?? [],
  )
  return { size: watch.size, found }
}

async function change(tx: Transaction, kind: Change, place: number): Promise<void> {
  const { workspaceId } = workspaces[place % 2]!
  const term = TERMS[place >> 1]!
  const where = sql`workspace_id = ${workspaceId} and term_folded = ${term}`
  const statements: Record<Change, () => Promise<{ id: Uuid }[]>> = {
    add: () =>
      tx.query(sql`
        insert into keyword (workspace_id, id, group_id, term, term_folded, kind, required_terms, required_mode,
          excluded_terms, excluded_authors, excluded_author_keys,
          case_sensitive, muted, created_at, judged_since)
        select workspace_id, ${newUuid(world.clock.now())}, group_id, ${term}, ${term}, kind, '{}', 'any', '{}', '{}',
          '{}', false, false, created_at, judged_since
        from keyword where id = ${templates[place % 2]} on conflict do nothing returning id`),
    remove: () => tx.query(sql`delete from keyword where ${where} returning id`),
    mute: () => tx.query(sql`update keyword set muted = not muted where ${where} returning id`),
    rule: () =>
      tx.query(
        sql`update keyword set excluded_terms = case when excluded_terms = '{}' then '{spam}'::text[] else '{}' end
            where ${where} returning id`,
      ),
    case: () => tx.query(sql`update keyword set case_sensitive = not case_sensitive where ${where} returning id`),
    cap: () => tx.query(sql`update keyword set platforms = '{}' where ${where} returning id`),
    platform: () =>
      tx.query(
        sql`update keyword set platforms = case when platforms is null then '{bluesky}'::text[] end where ${where}
            returning id`,
      ),
  }
  const rows = await statements[kind]()
  await announceKeywords(
    tx,
    workspaceId,
    rows.map(({ id }) => id),
  )
}

/** Makes a change in a transaction that stays open; answers what commits it. */
async function holdOpen(work: (tx: Transaction) => Promise<void>): Promise<() => Promise<void>> {
  let finish: () => void = () => undefined
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  return await new Promise((resolve, reject) => {
    const committed = world.db.transaction(async (tx) => {
      await work(tx)
      resolve(() => {
        finish()
        return committed
      })
      await finished
    })
    committed.catch(reject)
  })
}
