import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store } from '../../../test/mentions.ts'
import { placed, ready, scriptedSources } from '../../../test/stand-ins/sources.ts'
import { useWorld } from '../../../test/use-world.ts'
import { accepted, type TestWorkspace } from '../../../test/world.ts'
import { recountKeywords } from '../../queries/keywords/recount-keywords.ts'
import { verifyLedger } from '../../queries/wallet/verify-ledger.ts'
import type { ArchiveRow } from '../../store/archive/archive-rows.ts'
import { sql } from '../../store/database.ts'
import { createNamedSource } from '../sources/create-named-source.ts'
import { grantCredit } from '../wallet/grant-credit.ts'
import { ArchivedLedgerProblem } from './finish-import.ts'
import { importWorkspace } from './import-workspace.ts'
import { archiveOf, linesOf, rowsOf } from './round-trip.suite.ts'

const world = useWorld({ sources: scriptedSources(ready(placed('feeds'))) })

/** With a keyword, scored mentions of one author, and a feed of which nobody else knows. */
async function exported(): Promise<{ workspace: TestWorkspace; lines: string[] }> {
  const workspace = await world.workspace('Exported')
  const keyword = await makeKeyword(workspace)
  const posts = [makePost(world), makePost(world, { text: 'Another one.' })]
  await score(
    world,
    await store(
      world,
      posts.map((post) => matchedBy(post, [keyword])),
    ),
  )
  accepted(await createNamedSource(workspace, { platform: 'feeds', address: 'https://blog.example/feed' }))
  return { workspace, lines: await archiveOf(workspace) }
}

/** The archive with other rows of a table. */
function changed(lines: readonly string[], table: string, change: (row: ArchiveRow) => ArchiveRow): string[] {
  return lines.map((line) => {
    const read = JSON.parse(line) as { table?: string; row: ArchiveRow }
    return read.table === table ? JSON.stringify({ ...read, row: change(read.row) }) : line
  })
}

const withPost = (change: ArchiveRow) => (row: ArchiveRow) => ({
  ...row,
  post: { ...(row['post'] as object), ...change },
})

const withoutNoteOnce = () => {
  let seen = false
  return ({ note, ...row }: ArchiveRow) => {
    if (seen) return row
    seen = true
    return { ...row, note }
  }
}

const everything = async () => {
  const counted = ['workspace', 'post', 'place', 'source_query', 'keyword', 'mention']
  const rows: Record<string, number> = {}
  for (const table of counted) rows[table] = (await world.db.query(sql`select from ${sql.table(table)}`)).length
  return rows
}

test('rows that all workspaces share are refused where they could not have come about here', async () => {
  const { lines } = await exported()
  const before = await everything()
  const page = { platform: 'trustpilot', id: 'no page|de', url: 'x', countries: [], language: null }
  const connectedAt = world.clock.now().toISOString()
  const cases: [string, (row: ArchiveRow) => ArchiveRow, RegExp][] = [
    ['mention', withPost({ native_id: 'of-another' }), /^Line \d+: mention\.post has another id/],
    ['mention', (row) => ({ ...row, post_id: row['id'] }), /mention\.post has another id/],
    ['mention', withPost({ url: 'javascript:alert(1)' }), /mention\.post has no valid address/],
    ['mention', withPost({ platform: 99 }), /mention\.post\.platform is not what an export writes/],
    ['mention', withPost({ body: { html: 'x' } }), /mention\.post\.body is not/],
    ['mention', ({ post: _, ...row }) => row, /mention\.post is not/],
    ['keyword', (row) => ({ ...row, term: 'x' }), /keyword\.term must have 2 to 80 characters/],
    ['keyword', (row) => ({ ...row, platforms: ['myspace'] }), /keyword\.platforms\.0 is not/],
    ['keyword', (row) => ({ ...row, review_sources: [{ ...page, connectedAt }] }), /keyword\.review_sources has no id/],
    ['workspace_place', (row) => ({ ...row, address: 'http://10.0.0.1/' }), /workspace_place\.address must/],
    ['workspace_place', (row) => ({ ...row, address: 'https://a.example/#b' }), /address is not in canonical form/],
    ['workspace_place', (row) => ({ ...row, platform: 1 }), /workspace_place\.platform has no places/],
    ['keyword', (row) => ({ ...row, cap_own: 'much' }), /^Line \d+: keyword\.cap_own is refused: invalid input syntax/],
    ['keyword', ({ created_at: _, ...row }) => row, /^Line \d+: keyword\.created_at is refused: null value/],
    ['mention', withoutNoteOnce(), /^Line \d+: mention has other columns than the row before/],
    ['keyword_counter', (row) => ({ ...row, mentions: 2 ** 70 }), /keyword_counter\.mentions is refused/],
  ]
  for (const [table, change, message] of cases)
    await expect(importWorkspace(world.services, linesOf(changed(lines, table, change))), `${message}`).rejects.toThrow(
      message,
    )
  expect(await everything()).toEqual(before)
})

test('what follows from a row is worked out here, whatever the archive says', async () => {
  const { lines } = await exported()
  await world.db.query(sql`delete from workspace_place`)
  await world.db.query(sql`delete from place`)
  const forged = [
    ['keyword', (row) => ({ ...row, term_folded: 'apple' })],
    ['account', (row) => ({ ...row, mentions: 1_000_000, relevant: 7 })],
    ['workspace_place', (row) => ({ ...row, title: 'Buy here' })],
  ] satisfies [string, (row: ArchiveRow) => ArchiveRow][]
  const given = forged.reduce((text, [table, change]) => changed(text, table, change), lines)
  const { id } = await importWorkspace(world.services, linesOf(given))
  const [keyword] = await world.db.query<{ term: string; folded: string }>(
    sql`select term, term_folded as folded from keyword where workspace_id = ${id}`,
  )
  expect(keyword!.folded).toBe(keyword!.term)
  const queries = await world.db.query(sql`select from keyword_query where workspace_id = ${id} and key = 'apple'`)
  expect(queries).toEqual([])
  expect(await world.db.query(sql`select title from place`)).toEqual([{ title: null }])
  const [account] = await world.db.query(sql`select mentions, relevant from account where workspace_id = ${id}`)
  expect(account).toEqual({ mentions: 2, relevant: 2 })
})

test('a ledger that does not add up is refused', async () => {
  const { workspace, lines } = await exported()
  await grantCredit(workspace, 1000)
  const before = await everything()
  const forged = [
    changed(lines, 'ledger_entry', (row) => ({ ...row, amount_units: Number(row['amount_units']) + 30_000 })),
    changed(lines, 'ledger_entry', (row) => ({ ...row, balance_units: Number(row['balance_units']) + 30 })),
    changed(lines, 'usage_day', (row) => ({ ...row, billable: 9 })),
  ]
  for (const given of forged)
    await expect(importWorkspace(world.services, linesOf(given))).rejects.toThrow(ArchivedLedgerProblem)
  expect(await everything()).toEqual(before)
})

test('where usage is charged the balance stays behind, unless the operator keeps it', async () => {
  const { workspace } = await exported()
  await grantCredit(workspace, 1000)
  const lines = await archiveOf(workspace)
  const wallet = async (options: { keepBalance?: boolean }, billing: 'metered' | 'unmetered') => {
    const { id } = await importWorkspace({ ...world.services, billing }, linesOf(lines), options)
    const [row] = await world.db.query<{ balance: number; limits: boolean; entries: number }>(sql`
      select balance_units as balance, welcome_limits as limits, (select count(*) from ledger_entry
        where workspace_id = w.id) as entries
      from workspace w where id = ${id}`)
    return row!
  }
  const entries = rowsOf(lines)['ledger_entry']!
  const kept = { balance: entries.at(-1)!['balance_units'], limits: false, entries: entries.length }
  expect(await wallet({}, 'metered')).toEqual({ balance: 0, limits: true, entries: entries.length + 1 })
  expect(await wallet({ keepBalance: true }, 'metered')).toEqual(kept)
  expect(await wallet({}, 'unmetered')).toEqual(kept)
  expect((await verifyLedger(world.db, { metered: true })).differences).toEqual([])
  expect((await recountKeywords(world.db, world.clock.now())).differences).toEqual([])
})

test('a period that nobody could have chosen is refused', async () => {
  const { lines } = await exported()
  const given = lines.map((line) => line.replace('"mentions_kept_days":null', '"mentions_kept_days":1'))
  await expect(importWorkspace(world.services, linesOf(given))).rejects.toThrow(
    'archive.workspace.mentions_kept_days is not what an export writes',
  )
})

test('a settled day that is not over here is refused: its mentions would never be charged', async () => {
  const { lines } = await exported()
  const given = lines.map((line) => line.replace(/"settled_through":"[^"]*"/, '"settled_through":"9999-12-31"'))
  await expect(importWorkspace(world.services, linesOf(given))).rejects.toThrow('is settled through 9999-12-31')
})

test('lines of a form that no export writes are refused with their number', async () => {
  const { lines } = await exported()
  const [manifest, ...rest] = lines
  const before = await everything()
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
  const last = rest.at(-2)!
  const cases: [readonly string[], string][] = [
    [['7'], 'Line 1 is no line of an archive'],
    [['{"archive":7}'], 'it has no manifest'],
    [[manifest!.replace(/"name":"[^"]*"/, '"name":7'), ...rest], 'Line 1: archive.workspace.name is not'],
    [[manifest!, '[]', ...rest], 'Line 2 is no line of an archive'],
    [[manifest!, `{"table":"company","row":{"a":${deep}}}`, ...rest], 'Line 2 is no line of an archive'],
    [[manifest!, '{"table":"company","row":[]}', ...rest], 'Line 2: company has a row that is no object'],
    [[manifest!, '{"table":"constructor","row":{}}', ...rest], 'Line 2 is no row of a workspace'],
    [[manifest!, last, ...rest], 'Line 3: keyword_group follows audit_entry'],
    [[...lines.slice(0, -1), '{"end":[]}'], `Line ${lines.length} is no end`],
  ]
  for (const [given, message] of cases)
    await expect(importWorkspace(world.services, linesOf(given)), message).rejects.toThrow(message)
  expect(await everything()).toEqual(before)
})

test('no more keywords than a workspace may have are imported', async () => {
  const { lines } = await exported()
  const at = lines.findIndex((line) => line.startsWith('{"table":"keyword",'))
  const { row } = JSON.parse(lines[at]!)
  const many = Array.from({ length: 500 }, (_, n) =>
    JSON.stringify({ table: 'keyword', row: { ...row, id: crypto.randomUUID(), term: `term number ${n}` } }),
  )
  const given = [...lines.slice(0, at + 1), ...many, ...lines.slice(at + 1)]
  await expect(importWorkspace(world.services, linesOf(given))).rejects.toThrow('more than 500 keywords')
})
