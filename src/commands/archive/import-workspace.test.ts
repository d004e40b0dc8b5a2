import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { createPerson } from '../../../test/people.ts'
import { useWorld } from '../../../test/use-world.ts'
import { accepted, type TestWorkspace } from '../../../test/world.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { fromId, newUuid, type Uuid } from '../../kernel/ids.ts'
import { recountKeywords } from '../../queries/keywords/recount-keywords.ts'
import { verifyLedger } from '../../queries/wallet/verify-ledger.ts'
import { sql } from '../../store/database.ts'
import { createApiKey } from '../api-keys/create-api-key.ts'
import { createChannel } from '../channels/create-channel.ts'
import { renewWords } from '../mentions/renew-words.ts'
import { foldPeople } from '../people/fold-people.ts'
import { runDay } from '../wallet/daily-run.ts'
import { nextRun } from '../wallet/wallet-setting.suite.ts'
import { importWorkspace } from './import-workspace.ts'
import { mendRow } from './mend-row.ts'
import { NewIds } from './new-ids.ts'
import { archiveOf, linesOf, Pairs, type Rows, rowsOf } from './round-trip.suite.ts'

const world = useWorld()

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((value) => !value.includes('\0'))
const name = text.map((value) => value.replace(/\s+/g, ' ').trim()).filter((value) => value !== '')

const contents = fc.record({
  keywords: fc.integer({ min: 1, max: 3 }),
  posts: fc.array(fc.record({ text, author: fc.nat(2), scored: fc.boolean() }), { maxLength: 5 }),
  note: text,
  view: name,
  tag: fc.stringMatching(/^[a-z]{1,10}$/),
})
type Contents = typeof contents extends fc.Arbitrary<infer Value> ? Value : never

function postsOf({ posts }: Contents) {
  return posts.map(({ text: body, author }) => {
    const { author: somebody, ...post } = makePost(world, { text: body })
    return { ...post, author: { ...somebody!, id: `did:plc:${author}`, handle: `author-${author}.example` } }
  })
}

/** A workspace with these contents, and one of everything else that refers to something. */
async function fill(contents: Contents): Promise<TestWorkspace> {
  const workspace = await world.workspace('Moving')
  const { posts, note, view, tag } = contents
  const keywords: TestKeyword[] = []
  for (let made = 0; made < contents.keywords; made += 1) keywords.push(await makeKeyword(workspace))
  const keywordIds = keywords.map(({ shown }) => shown.id)
  const channel = accepted(await createChannel(workspace, { kind: 'webhook', url: 'https://receiver.example/' }))
  const mentions = await store(
    world,
    postsOf(contents).map((post) => matchedBy(post, keywords)),
  )
  await score(
    world,
    mentions.filter((_, at) => posts[Math.floor(at / keywords.length)]!.scored),
  )
  await foldPeople(world)
  const ids = (await workspace.api('GET', '/v1/mentions')).body.data.map(({ id }: { id: string }) => id)
  for (const id of ids.slice(0, 2)) await workspace.api('PATCH', `/v1/mentions/${id}`, { note, status: 'done' })
  const people = (await workspace.api('GET', '/v1/people')).body.data
  if (people.length > 1) await workspace.api('POST', `/v1/people/${people[0].id}/merge`, { personId: people[1].id })
  for (const { id } of people.slice(0, 1))
    await workspace.api('PATCH', `/v1/people/${id}`, { tags: [tag], notes: note })
  await workspace.api('POST', '/v1/views', { name: view, filter: { keywordIds } })
  await workspace.api('POST', '/v1/segments', { name: view, filter: { tags: [tag] } })
  await workspace.api('POST', '/v1/alerts', { name: view, filter: { keywordIds }, channelIds: [channel.id] })
  await workspace.api('PATCH', '/v1/filters', { excludedTerms: ['giveaway'] })
  await workspace.api('PATCH', '/v1/company', { description: note })
  return workspace
}

/** What an import changes on purpose, in the rows of the archive. */
function arrived(rows: Rows): Rows {
  const { membership: _, payment: __, ...kept } = rows
  const stopped = { muted: true, paused_for_balance: false, paused_for_noise: false, paused_for_cap: false }
  return {
    ...kept,
    keyword: (rows['keyword'] ?? []).map((row) => ({ ...row, ...stopped })),
    channel: (rows['channel'] ?? []).map((row) => ({
      ...row,
      enabled: false,
      config: { ...(row['config'] as object), headers: undefined },
    })),
    keyword_counter: (rows['keyword_counter'] ?? []).map((row) => ({ ...row, month_units: 0 })),
    usage_day: (rows['usage_day'] ?? []).map((row) => ({ ...row, mention_units: 0 })),
  }
}

/** Ids that mean the same everywhere: of posts, of requests, and of keys and people that acted. */
function sharedIds(rows: Rows): Set<unknown> {
  const idsIn = (table: string, column: string) => (rows[table] ?? []).map((row) => row[column])
  return new Set([
    ...idsIn('mention', 'post_id'),
    ...idsIn('mention', 'post').map((post) => (post as { native_id: string }).native_id),
    ...idsIn('audit_entry', 'actor_id'),
    ...idsIn('audit_entry', 'target_id').map((id) => fromId('key', String(id))),
    ...idsIn('audit_entry', 'request_id').map((id) => fromId('req', String(id))),
    ...idsIn('mention_change', 'actor_id'),
  ])
}

const HASHED = ['account', 'person']

function compared(old: Rows, now: Rows): Pairs {
  const pairs = new Pairs()
  const rest = Object.keys({ ...old, ...now }).filter((table) => !HASHED.includes(table))
  for (const table of rest) pairs.compare(old[table] ?? [], now[table] ?? [], table)
  // Accounts have other ids in another order; mentions have told which is which.
  const byId = (rows: Rows[string] = []) => [...rows].sort((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1))
  for (const table of HASHED) {
    const renamed = (old[table] ?? []).map((row) => ({
      ...row,
      id: pairs.renamed(row['id']),
      ...('person_id' in row ? { person_id: pairs.renamed(row['person_id']) } : {}),
    }))
    expect(byId(now[table])).toEqual(byId(renamed))
  }
  return pairs
}

async function imported(lines: readonly string[]): Promise<{ workspaceId: Uuid; rows: Rows }> {
  const { id } = await importWorkspace(world.services, linesOf(lines), { keepBalance: true })
  return { workspaceId: id, rows: rowsOf(await archiveOf({ ...world.services, workspaceId: id })) }
}

test('the periods of retention come along', async () => {
  const { workspaceId, ...reading } = await world.workspace('Forgetful')
  await world.db.query(sql`
    update workspace set mentions_kept_days = 90, deliveries_kept_days = 14 where id = ${workspaceId}`)
  const { id } = await importWorkspace(world.services, linesOf(await archiveOf({ ...reading, workspaceId })))
  expect(
    await world.db.query(sql`select mentions_kept_days, deliveries_kept_days from workspace where id = ${id}`),
  ).toEqual([{ mentions_kept_days: 90, deliveries_kept_days: 14 }])
})

test('an imported workspace is the exported one, with other ids, switched off', async () => {
  await fc.assert(
    fc.asyncProperty(contents, async (given) => {
      const lines = await archiveOf(await fill(given))
      const { rows } = await imported(lines)
      const audit = rows['audit_entry']!
      expect(audit.at(-1)).toMatchObject({ kind: 'workspace.imported' })
      const before = arrived(rowsOf(lines))
      const pairs = compared(before, { ...rows, audit_entry: audit.slice(0, -1) })
      expect(pairs.differences).toEqual([])
      expect(pairs.kept().filter((id) => !sharedIds(before).has(id))).toEqual([])
    }),
    { numRuns: 8, endOnFailure: true },
  )
}, 60_000)

const SAMPLE: Contents = {
  keywords: 2,
  posts: [
    { text: 'a kettle\u2028that whistles', author: 0, scored: true },
    { text: 'another kettle', author: 1, scored: false },
  ],
  note: 'line\nbreak',
  view: 'Kettles',
  tag: 'fan',
}

test('an imported workspace is searched, goes on with its people, and adds up', async () => {
  const { workspaceId } = await imported(await archiveOf(await fill(SAMPLE)))
  await renewWords(world.services)
  const services = { ...world.services, workspaceId }
  const { key } = accepted(await createApiKey(services, { name: 'new', scope: 'write', expiresAt: null }))
  const ask = async (path: string) => (await world.api('GET', path, undefined, { key })).body
  expect((await ask('/v1/mentions?q=whistles')).data).toHaveLength(2)
  expect((await verifyLedger(world.db, { metered: true })).differences).toEqual([])
  const { differences } = await recountKeywords(world.db, world.clock.now())
  expect(differences.filter((difference) => difference.workspaceId === workspaceId)).toEqual([])

  const people = await ask('/v1/people')
  expect((await ask('/v1/people?limit=1')).total).toBe(people.data.length)
  expect((await ask(`/v1/people?q=${people.data[0].handle}`)).data.map(({ id }: { id: string }) => id)).toContain(
    people.data[0].id,
  )
  const [keyword] = (await ask('/v1/keywords')).data
  await world.api('PATCH', `/v1/keywords/${keyword.id}`, { muted: false }, { key })
  const { body } = await world.api('GET', `/v1/keywords/${keyword.id}`, undefined, { key })
  expect(body.muted).toBe(false)
  const [row] = await world.db.query<{ id: Uuid }>(
    sql`select id from keyword where workspace_id = ${workspaceId} and not muted`,
  )
  const [post] = postsOf(SAMPLE)
  const made = await store(world, [
    matchedBy({ ...post!, nativeId: 'new' }, [{ uuid: row!.id, workspaceId, shown: body }]),
  ])
  await score(world, made)
  await foldPeople(world)
  expect((await ask('/v1/people')).data).toHaveLength(people.data.length)
})

test('deliveries that the import cancels are found by their status', async () => {
  const workspace = await world.workspace('Delivering')
  const keyword = await makeKeyword(workspace)
  const channel = accepted(await createChannel(workspace, { kind: 'webhook', url: 'https://receiver.example/' }))
  const rule = { name: 'All', filter: {}, channelIds: [channel.id] }
  expect((await workspace.api('POST', '/v1/alerts', rule)).status).toBe(201)
  await score(world, await store(world, [matchedBy(makePost(world), [keyword])]))
  const { workspaceId } = await imported(await archiveOf(workspace))
  const services = { ...world.services, workspaceId }
  const { key } = accepted(await createApiKey(services, { name: 'new', scope: 'read', expiresAt: null }))
  const { body } = await world.api('GET', '/v1/deliveries?status=cancelled', undefined, { key })
  expect(body.data).toMatchObject([{ error: 'the workspace was imported' }])
})

test('an imported channel of Telegram has no chat until somebody connects one', () => {
  const config = { chatId: '-100', chatType: 'group', chatName: 'Theirs', label: 'Ours' }
  const columns = new Map([['config', 'jsonb']])
  const [old, workspaceId] = [newUuid(world.clock.now()), newUuid(world.clock.now())]
  const ids = new NewIds(Buffer.alloc(32), { old, new: workspaceId })
  const mending = { workspaceId, ids, columns, settledThrough: '2026-01-01' }
  const { row } = mendRow('channel', { config }, mending)
  expect(row).toMatchObject({ enabled: false, config: { chatId: null, chatType: null, chatName: null, label: 'Ours' } })
})

test('an import sends nothing and charges nothing', async () => {
  const workspace = await fill(SAMPLE)
  await createPerson(workspace, workspace.workspaceId, 'owner')
  const { workspaceId } = await imported(await archiveOf(workspace))
  const ledger = () => world.db.query(sql`select kind from ledger_entry where workspace_id = ${workspaceId}`)
  const before = await ledger()
  const clock = world.clock.now()
  nextRun(world)
  await runDay(world.services)
  world.clock.set(plus(world.clock.now(), DAY_MS))
  await runDay(world.services)
  world.clock.set(clock)
  expect(await ledger()).toEqual(before)
  for (const table of ['delivery_queue', 'score_queue', 'membership', 'api_key', 'payment'])
    expect(await world.db.query(sql`select from ${sql.table(table)} where workspace_id = ${workspaceId}`)).toEqual([])
})

test('what is no whole archive of this version is refused, and leaves nothing', async () => {
  const lines = await archiveOf(await world.workspace('Whole'))
  const [manifest, ...rest] = lines
  const count = async () => (await world.db.query(sql`select from workspace`)).length
  const before = await count()
  const cases: [readonly string[], string][] = [
    [[], 'has no end'],
    [['not JSON'], 'Line 1 is no JSON'],
    [rest, 'it has no manifest'],
    [[manifest!.replace('"version":1', '"version":2'), ...rest], 'has version 2; this installation reads 1'],
    [[manifest!.replace(/"schema":"[^"]*"/, '"schema":"0009-other"'), ...rest], 'has the schema 0009-other'],
    [lines.slice(0, -1), 'has no end'],
    [[...lines.slice(0, -2), lines.at(-1)!], 'instead of'],
    [[manifest!, '{"table":"api_key","row":{}}', ...rest], 'Line 2 is no row of a workspace'],
    [[...lines, lines[1]!], 'follows the end'],
  ]
  for (const [given, message] of cases)
    await expect(importWorkspace(world.services, linesOf(given)), message).rejects.toThrow(message)
  expect(await count()).toBe(before)
})
