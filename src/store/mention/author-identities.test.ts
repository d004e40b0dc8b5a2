import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { createEmptyDatabase } from '../../../test/database-server.ts'
import { sql } from '../../../test/database-setup.ts'
import { makeKeyword } from '../../../test/mentions.ts'
import { createWorld } from '../../../test/world.ts'
import { handlesOfEntry } from '../../domain/person/handle.ts'
import { parseAuthorEntry } from '../../domain/post/author-entry.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { sql as statement } from '../database.ts'
import { lockRunning } from '../keyword/running-states.ts'
import { lockCounters } from '../wallet/wallets.ts'
import { lockExcluding } from './author-identities.ts'

const FOLDER = new URL('../migrations/', import.meta.url)
const OWN = '0008-author-identities.sql'

test('handles in keywords from before are to be asked for, and nothing else', async () => {
  const place = await createEmptyDatabase()
  const run = async (name: string) => sql(place.connection, await readFile(new URL(name, FOLDER), 'utf8'))
  for (const name of readdirSync(FOLDER)
    .filter((one) => one.endsWith('.sql') && one < OWN)
    .sort())
    await run(name)
  const entries = [
    '@Acme.bsky.social',
    'https://bsky.app/profile/jay.bsky.team',
    '@acme',
    'Jane Doe',
    'did:plc:z72i7hdynmk6r22z27h6tvur',
    'https://x.com/acme',
    'v1.5',
  ]
  entries.push(
    'https://example.com/authors/acme',
    'a-.com',
    `${'a'.repeat(64)}.com`,
    `${'abcdefgh.'.repeat(30)}com`,
    'https://bsky.app/profile/acme.bsky.social',
  )
  const keys = entries.map((entry) => {
    const parsed = parseAuthorEntry(entry)
    return 'normal' in parsed ? parsed.normal : ''
  })
  const id = '01900000-0000-7000-8000-000000000001'
  await sql(
    place.connection,
    `insert into workspace (id, name, created_at, settled_through) values ('${id}', 'Acme', now(), now());
     insert into keyword_group (workspace_id, id, name, name_folded, is_default, created_at, updated_at) values ('${id}', '${id}', 'Default', 'default', true, now(), now());
     insert into keyword (workspace_id, id, group_id, term, term_folded, kind, required_terms, required_mode, excluded_terms, excluded_authors, excluded_author_keys, case_sensitive, muted, created_at, judged_since)
     select '${id}', gen_random_uuid(), '${id}', 'term ' || n, 'term ' || n, 'brand', '{}', 'any', '{}', '{}', case when n = 3 then '{}' else array['${keys.join("','")}'] end, false, false, now(), now()
     from generate_series(1, 3) n`,
  )
  await run(OWN)
  const handles = [
    ...new Set(
      entries.flatMap(handlesOfEntry).flatMap(({ platform, handle }) => (platform === 'bluesky' ? [handle] : [])),
    ),
  ].sort()
  expect(handles).toEqual(['acme.bsky.social', 'jay.bsky.team'])
  expect(
    await sql(
      place.connection,
      'select platform, handle, id, due_at <= now() as due from author_identity order by handle',
    ),
  ).toEqual(handles.map((handle) => ({ platform: 'bluesky', handle, id: null, due: true })))
  await place.drop()
})

test('whoever follows excluded people and whoever stops keywords of the same workspaces never wait for each other in a ring', async () => {
  const world = await createWorld()
  try {
    const [first, second] = [await world.workspace('First'), await world.workspace('Second')].sort((a, b) =>
      a.workspaceId < b.workspaceId ? -1 : 1,
    )
    // The order of the ids of the keywords is not that of their workspaces.
    const older = await makeKeyword(second!)
    await world.clock.advance(SECOND_MS)
    const newer = await makeKeyword(first!)
    expect(older.uuid < newer.uuid).toBe(true)
    await world.admin(`update keyword set excluded_author_keys = '{somebody}'`)
    const [stopping, following] = [vi.fn(), vi.fn()]
    let followed: ReturnType<typeof lockExcluding> | undefined
    const follow = () =>
      world.db.transaction(async (tx) => {
        following()
        return await lockExcluding(tx, ['somebody'], null, 10)
      })
    await world.db.transaction(async (tx) => {
      stopping()
      await lockCounters(tx, [first!.workspaceId])
      await lockRunning(tx, [first!.workspaceId], 'running')
      followed ??= follow()
      await vi.waitFor(async () =>
        expect(
          await world.db.query(
            statement`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        ).not.toEqual([]),
      )
      await lockCounters(tx, [second!.workspaceId])
      await lockRunning(tx, [second!.workspaceId], 'running')
    })
    expect((await followed)!.keywords.map(({ id }) => id)).toEqual([newer.uuid, older.uuid])
    // A ring would have been broken by the server, and one of them tried again.
    expect([stopping.mock.calls.length, following.mock.calls.length]).toEqual([1, 1])
  } finally {
    await world.close()
  }
})
