import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeKeyword } from '../../../test/mentions.ts'
import { empty } from '../../../test/rows.ts'
import { ready, scriptedSources } from '../../../test/stand-ins/sources.ts'
import { createTape } from '../../../test/stand-ins/tape.ts'
import { until } from '../../../test/until.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { authorKeysOf } from '../../domain/post/author-entry.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { SourceFault } from '../../sources/contract.ts'
import { sql } from '../../store/database.ts'
import { refreshHandles } from './refresh-handles.ts'

/** Who has which handle at the moment. A platform that is down answers nothing. */
const people = new Map<string, string>()
const asked: string[] = []
let down: 'no' | 'failing' | 'hanging' = 'no'

const world = useWorld(async () => {
  const bluesky = {
    ...createTape('bluesky').source,
    async resolveAuthor(_: unknown, handle: string): Promise<string | null> {
      asked.push(handle)
      if (down === 'failing') throw new SourceFault('unavailable', 'down')
      if (down === 'hanging') return await new Promise(() => undefined)
      return people.get(handle) ?? null
    },
  }
  return { sources: scriptedSources(ready(bluesky)) }
})
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  people.clear()
  down = 'no'
  await empty(world, 'author_identity', 'keyword')
  asked.length = 0
})

const DID = 'did:plc:z72i7hdynmk6r22z27h6tvur'
const OTHER = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz'
const profile = (name: string) => `https://bsky.app/profile/${name}`

/** Makes a keyword that excludes these; it is muted, because that costs nothing. */
async function excluding(...excludedAuthors: string[]): Promise<Uuid> {
  const { status, body } = await acme.api('POST', '/v1/keywords', {
    term: `term ${randomUUID()}`,
    muted: true,
    matching: { excludedAuthors },
  })
  expect([status, body.matching.excludedAuthors]).toEqual([201, excludedAuthors])
  return stored('kw', body.id)
}

const keysOf = async (id: Uuid): Promise<string[]> =>
  (await world.db.query<{ keys: string[] }>(sql`select excluded_author_keys as keys from keyword where id = ${id}`))[0]!
    .keys
const known = () => world.db.query(sql`select handle, id from author_identity order by handle`)
const announced = async (id: Uuid): Promise<number> =>
  (await world.db.query(sql`select 1 from keyword_change where keyword_id = ${id}`)).length

describe('a handle among excluded authors', () => {
  test.each([
    '@Acme.bsky.social',
    'acme.bsky.social',
    'https://bsky.app/profile/acme.bsky.social',
    'https://bsky.app/profile/acme.bsky.social/post/3kabc',
  ])('%s excludes the person also where posts carry only the id', async (entry) => {
    people.set('acme.bsky.social', DID)
    const keys = await keysOf(await excluding(entry, '@somebody'))
    expect(keys).toContain('somebody')
    const post = {
      id: DID,
      name: null,
      handle: null,
      url: profile(DID),
      avatarUrl: null,
      followers: null,
      automated: null,
    }
    expect(authorKeysOf('bluesky', post).some((key) => keys.includes(key))).toBe(true)
    expect(asked).toEqual(['acme.bsky.social'])
  })

  test('is asked for once a day, however many keywords name it', async () => {
    people.set('acme.bsky.social', DID)
    const first = await excluding('@acme.bsky.social')
    const second = await excluding('https://bsky.app/profile/acme.bsky.social', '@acme.bsky.social')
    expect(asked).toEqual(['acme.bsky.social'])
    expect([await keysOf(first), await keysOf(second)]).toEqual([
      ['acme.bsky.social', profile(DID)],
      [profile('acme.bsky.social'), 'acme.bsky.social', profile(DID)],
    ])
  })

  test('that nobody has excludes by name until somebody has it', async () => {
    const id = await excluding('@nobody.example')
    expect(await keysOf(id)).toEqual(['nobody.example'])
    expect(await known()).toEqual([{ handle: 'nobody.example', id: null }])
  })

  test('may be given beside its own id', async () => {
    people.set('acme.bsky.social', DID)
    expect(await keysOf(await excluding(DID, '@acme.bsky.social'))).toEqual([profile(DID), 'acme.bsky.social'])
  })

  test('is not asked for where no handle can be', async () => {
    await excluding('acme', 'Jane Doe', 'https://github.com/acme', DID, 'v1.5')
    expect([asked, await known()]).toEqual([[], []])
  })

  test('with an answer that is no id excludes by name', async () => {
    people.set('acme.bsky.social', 'https://x.com/victim')
    expect(await keysOf(await excluding('@acme.bsky.social'))).toEqual(['acme.bsky.social'])
  })

  test('is asked for when a keyword is changed, and only when its people are', async () => {
    const { shown, uuid } = await makeKeyword(acme, { muted: true })
    people.set('acme.bsky.social', DID)
    await acme.api('PATCH', `/v1/keywords/${shown.id}`, { matching: { excludedAuthors: ['@acme.bsky.social'] } })
    expect(await keysOf(uuid)).toEqual(['acme.bsky.social', profile(DID)])
    await acme.api('PATCH', `/v1/keywords/${shown.id}`, { matching: { caseSensitive: true } })
    expect(await keysOf(uuid)).toEqual(['acme.bsky.social', profile(DID)])
    expect(asked).toEqual(['acme.bsky.social'])
    await acme.api('PATCH', `/v1/keywords/${shown.id}`, { matching: { excludedAuthors: [] } })
    expect(await keysOf(uuid)).toEqual([])
  })

  test('does not keep a keyword from being saved when the platform fails, which is asked no more than five times', async () => {
    down = 'failing'
    const handles = Array.from({ length: 20 }, (_, number) => `@a${number}.example`)
    expect(await keysOf(await excluding(...handles))).toHaveLength(20)
    expect(asked.length).toBeLessThanOrEqual(5)
    expect(await known()).toHaveLength(20)
  })

  test('holds up saving for three seconds at most', async () => {
    down = 'hanging'
    const waitsBefore = world.clock.waits
    const saved = excluding('@acme.bsky.social')
    await until(() => asked.length === 1 && world.clock.waits === waitsBefore + 1)
    await world.clock.advance(3 * SECOND_MS)
    expect(await keysOf(await saved)).toEqual(['acme.bsky.social'])
  })
})

describe('looking after handles', () => {
  test('brings in what could not be asked for before, and tells the matchers', async () => {
    down = 'failing'
    const id = await excluding('@acme.bsky.social')
    down = 'no'
    people.set('acme.bsky.social', DID)
    const before = await announced(id)
    expect(await refreshHandles(world.services)).toBe(0)
    await world.clock.advance(10 * MINUTE_MS)
    expect(await refreshHandles(world.services)).toBe(1)
    expect(await keysOf(id)).toEqual(['acme.bsky.social', profile(DID)])
    expect(await announced(id)).toBe(before + 1)
  })

  test('follows a handle to another person within a day, in every keyword of every workspace', async () => {
    people.set('acme.bsky.social', DID)
    const ids = [
      await excluding('@acme.bsky.social'),
      await excluding(profile('acme.bsky.social'), DID),
      await excluding('@else.example'),
    ]
    const bravo = await world.workspace('Bravo')
    const { body } = await bravo.api('POST', '/v1/keywords', {
      term: 'Acme',
      muted: true,
      matching: { excludedAuthors: ['@acme.bsky.social'] },
    })
    ids.push(stored('kw', body.id))
    const before = await Promise.all(ids.map(announced))
    people.set('acme.bsky.social', OTHER)
    await world.clock.advance(DAY_MS - 1)
    expect(await refreshHandles(world.services)).toBe(0)
    await world.clock.advance(1)
    expect(await refreshHandles(world.services)).toBe(3)
    expect(await Promise.all(ids.map(keysOf))).toEqual([
      ['acme.bsky.social', profile(OTHER)],
      // Whoever is excluded by id stays excluded.
      [profile('acme.bsky.social'), profile(DID), profile(OTHER)],
      ['else.example'],
      ['acme.bsky.social', profile(OTHER)],
    ])
    expect((await Promise.all(ids.map(announced))).map((count, place) => count - before[place]!)).toEqual([1, 1, 0, 1])
    expect(await refreshHandles(world.services)).toBe(0)
  })

  test('mends keys that were saved with what was known a moment before', async () => {
    people.set('acme.bsky.social', OTHER)
    const id = await excluding('@acme.bsky.social')
    await world.db.query(
      sql`update keyword set excluded_author_keys = array['acme.bsky.social', ${profile(DID)}] where id = ${id}`,
    )
    await world.clock.advance(DAY_MS)
    expect(await refreshHandles(world.services)).toBe(1)
    expect(await keysOf(id)).toEqual(['acme.bsky.social', profile(OTHER)])
  })

  test('keeps excluding the last person who had a handle that nobody has any more', async () => {
    people.set('acme.bsky.social', DID)
    const id = await excluding('@acme.bsky.social')
    people.clear()
    await world.clock.advance(DAY_MS)
    expect(await refreshHandles(world.services)).toBe(0)
    expect(await keysOf(id)).toEqual(['acme.bsky.social', profile(DID)])
  })

  test('changes nothing while the platform fails, and tries again', async () => {
    people.set('acme.bsky.social', DID)
    const id = await excluding('@acme.bsky.social')
    down = 'failing'
    await world.clock.advance(DAY_MS)
    expect(await refreshHandles(world.services)).toBe(0)
    expect(await keysOf(id)).toEqual(['acme.bsky.social', profile(DID)])
    down = 'no'
    people.set('acme.bsky.social', OTHER)
    await world.clock.advance(10 * MINUTE_MS)
    expect(await refreshHandles(world.services)).toBe(1)
  })

  test('forgets handles that no keyword names any more', async () => {
    await excluding('@acme.bsky.social')
    await empty(world, 'keyword')
    await world.clock.advance(DAY_MS)
    expect(await refreshHandles(world.services)).toBe(0)
    expect([asked.length, await known()]).toEqual([1, []])
  })

  test('forgets in large portions, so that those that somebody names need not wait', async () => {
    await world.db.query(sql`
      insert into author_identity (platform, handle, due_at)
        select 'bluesky', 'a' || n || '.example', ${world.clock.now()}::timestamptz - interval '1 day'
        from generate_series(1, 2500) n`)
    await excluding('@acme.bsky.social')
    asked.length = 0
    await world.clock.advance(DAY_MS)
    await refreshHandles(world.services)
    expect([asked, (await known()).length]).toEqual([['acme.bsky.social'], 1])
  })

  test('forgets also those of platforms that are not set up, and keeps what is named', async () => {
    await excluding('https://x.com/acme')
    await world.db.query(
      sql`insert into author_identity (platform, handle, due_at) values ('x', 'nobody', ${world.clock.now()})`,
    )
    await world.clock.advance(DAY_MS)
    await refreshHandles(world.services)
    expect([asked, await known()]).toEqual([[], [{ handle: 'acme', id: null }]])
  })

  test('takes no more than 200 handles at a time, those that have waited longest first', async () => {
    down = 'failing'
    for (let keyword = 0; keyword < 3; keyword += 1) {
      await excluding(...Array.from({ length: 100 }, (_, number) => `@a${keyword}-${number}.example`))
      await world.clock.advance(SECOND_MS)
    }
    down = 'no'
    asked.length = 0
    await world.clock.advance(10 * MINUTE_MS)
    await refreshHandles(world.services)
    expect(asked).toHaveLength(200)
    expect(asked.every((handle) => /^a[01]-/.test(handle))).toBe(true)
    await refreshHandles(world.services)
    expect(new Set(asked).size).toBe(300)
  })

  test('by two processes at once ends in the same', async () => {
    people.set('acme.bsky.social', DID)
    const id = await excluding('@acme.bsky.social')
    people.set('acme.bsky.social', OTHER)
    await world.clock.advance(DAY_MS)
    await Promise.all([refreshHandles(world.services), refreshHandles(world.services)])
    expect(await keysOf(id)).toEqual(['acme.bsky.social', profile(OTHER)])
  })
})
