import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeKeyword, mention } from '../../../test/mentions.ts'
import { empty } from '../../../test/rows.ts'
import { ready, scriptedSources, searchable } from '../../../test/stand-ins/sources.ts'
import { createTape } from '../../../test/stand-ins/tape.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import type { Post } from '../../domain/post/post.ts'
import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { SourceFault } from '../../sources/contract.ts'
import { DatabaseUnavailable, sql } from '../../store/database.ts'
import { refreshHandles } from './refresh-handles.ts'

/** Who has which handle at the moment, by platform and handle. */
const people = new Map<string, string>()
const asked: string[] = []
/** What happens when a platform is asked for a handle; nothing unless a test says so. */
let meanwhile: (name: string) => Promise<void> | void
let posts: Post[] = []

const resolving = (platform: string) => ({
  async resolveAuthor(_: unknown, handle: string): Promise<string | null> {
    const name = `${platform} ${handle}`
    asked.push(name)
    await meanwhile(name)
    return people.get(name) ?? null
  },
})

const world = useWorld(() => {
  const x = searchable('x', async function* () {
    yield posts
  })
  return {
    sources: scriptedSources(
      ready({ ...createTape('bluesky').source, ...resolving('bluesky') }),
      ready({ ...x, ...resolving('x') }),
      ready({ ...searchable('youtube', async function* () {}), ...resolving('youtube') }),
    ),
  }
})
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  people.clear()
  asked.length = 0
  posts = []
  meanwhile = () => undefined
  await empty(world, 'author_identity', 'keyword')
})

const CHANNEL = 'UC_x5XG1OV2P6uZZ5FSM9Ttw'
const ON_X = 'https://x.com/i/user/42'
const ON_YOUTUBE = `https://www.youtube.com/channel/${CHANNEL}`
const DID = 'did:plc:z72i7hdynmk6r22z27h6tvur'

const create = (excludedAuthors: string[], more: object = {}) =>
  acme.api('POST', '/v1/keywords', {
    term: `term ${randomUUID()}`,
    muted: true,
    matching: { excludedAuthors },
    ...more,
  })
async function excluding(...excludedAuthors: string[]): Promise<Uuid> {
  const { status, body } = await create(excludedAuthors)
  expect(status).toBe(201)
  return stored('kw', body.id)
}
const keysOf = async (id: Uuid): Promise<string[]> =>
  (await world.db.query<{ keys: string[] }>(sql`select excluded_author_keys as keys from keyword where id = ${id}`))[0]!
    .keys
const known = () => world.db.query(sql`select platform, handle, id from author_identity order by platform, handle`)

describe('a handle among excluded authors', () => {
  test.each([
    ['https://x.com/Acme', ['x acme'], [ON_X]],
    ['https://www.youtube.com/@Acme', ['youtube acme'], [ON_YOUTUBE]],
    ['@Acme', ['x acme', 'youtube acme'], [ON_X, ON_YOUTUBE]],
  ])('%s excludes the person also where posts carry only the id', async (entry, names, ids) => {
    people.set('x acme', '42').set('youtube acme', CHANNEL)
    const keys = await keysOf(await excluding(entry))
    expect(keys.slice(1)).toEqual(ids)
    expect(asked).toEqual(names)
  })

  test('is none where it has no @: that is the name of somebody', async () => {
    await excluding('Acme')
    expect([asked, await known()]).toEqual([[], []])
  })

  test('is given up for the moment alone when the trouble is with it alone', async () => {
    people.set('x b', '42')
    meanwhile = (name) => {
      if (name !== 'x b') throw new SourceFault('unavailable', 'not this one', { onlyThis: true })
    }
    const id = await excluding(
      'https://x.com/a',
      'https://x.com/c',
      'https://x.com/d',
      'https://x.com/e',
      'https://x.com/f',
      'https://x.com/b',
    )
    expect([asked.length, await keysOf(id)]).toEqual([6, expect.arrayContaining([ON_X])])
  })

  test('of a save that is refused after all is not noted', async () => {
    people.set('youtube acme', CHANNEL)
    const term = `term ${randomUUID()}`
    meanwhile = async () => {
      meanwhile = () => undefined
      expect((await create([], { term })).status).toBe(201)
    }
    expect((await create(['https://www.youtube.com/@acme'], { term })).body.error.code).toBe('duplicate_keyword')
    expect([asked, await known()]).toEqual([['youtube acme'], []])
  })

  test('does not hide that the database is away', async () => {
    meanwhile = () => {
      throw new DatabaseUnavailable(new Error('cut off'))
    }
    const { status, body } = await create(['https://x.com/acme'])
    expect([status, body.error.code]).toEqual([503, 'database_unavailable'])
  })
})

describe('a handle of X, where every answer costs money', () => {
  const LINK = 'https://x.com/acme'

  test('is bought once in thirty days, and then again when it is saved', async () => {
    people.set('x acme', '42')
    await excluding(LINK)
    await excluding(LINK)
    await world.clock.advance(30 * DAY_MS - MINUTE_MS)
    await excluding(LINK)
    expect(asked).toEqual(['x acme'])
    people.set('x acme', '43')
    await world.clock.advance(MINUTE_MS)
    expect(await keysOf(await excluding(LINK))).toEqual([LINK, 'https://x.com/i/user/43'])
    expect(asked).toEqual(['x acme', 'x acme'])
  })

  test('is not renewed by the job, which does so for the others', async () => {
    people.set('x acme', '42').set('youtube acme', CHANNEL)
    await excluding('@acme')
    asked.length = 0
    for (let day = 0; day < 40; day += 1) {
      await world.clock.advance(DAY_MS)
      await refreshHandles(world.services)
    }
    expect([new Set(asked), asked.length]).toEqual([new Set(['youtube acme']), 40])
  })

  test('that could not be asked for when it was saved is asked for by the job until there is an answer', async () => {
    meanwhile = () => {
      throw new SourceFault('throttled', 'the quota is used up for today', { daily: true })
    }
    const id = await excluding(LINK)
    await world.clock.advance(10 * MINUTE_MS)
    expect(await refreshHandles(world.services)).toBe(0)
    meanwhile = () => undefined
    people.set('x acme', '42')
    await world.clock.advance(10 * MINUTE_MS)
    expect(await refreshHandles(world.services)).toBe(1)
    expect([asked.length, await keysOf(id)]).toEqual([3, [LINK, ON_X]])
  })

  test('that a later save found with another person is followed in every keyword', async () => {
    people.set('x acme', '42')
    const id = await excluding(LINK)
    await world.clock.advance(31 * DAY_MS)
    people.set('x acme', '43')
    await excluding('@acme')
    asked.length = 0
    await world.clock.advance(DAY_MS)
    expect(await refreshHandles(world.services)).toBe(1)
    expect([asked.filter((name) => name === 'x acme'), await keysOf(id)]).toEqual([
      [],
      [LINK, 'https://x.com/i/user/43'],
    ])
  })

  test('leaves alone whom the link of a post names, whoever has the handle of the author now', async () => {
    const author = {
      id: '42',
      name: null,
      handle: 'acme',
      url: LINK,
      avatarUrl: null,
      followers: null,
      automated: null,
    }
    await mention(world, await makeKeyword(acme), { platform: 'x', nativeId: '4711', author })
    people.set('x acme', '43')
    const id = await excluding('https://x.com/i/status/4711', '@acme')
    await world.clock.advance(DAY_MS)
    await refreshHandles(world.services)
    expect(await keysOf(id)).toEqual([LINK, ON_X, 'acme', 'https://x.com/i/user/43'])
  })

  test('is remembered for its time although nobody names it any more, and then forgotten', async () => {
    people.set('x acme', '42')
    await excluding(LINK)
    await empty(world, 'keyword')
    for (let day = 0; day < 29; day += 1) {
      await world.clock.advance(DAY_MS)
      await refreshHandles(world.services)
    }
    expect(await known()).toEqual([{ platform: 'x', handle: 'acme', id: '42' }])
    await world.clock.advance(2 * DAY_MS)
    await refreshHandles(world.services)
    expect([asked, await known()]).toEqual([['x acme'], []])
  })
})

describe('a preview', () => {
  const post = (id: string): Post => ({
    platform: 'x',
    nativeId: id,
    url: `https://x.com/i/status/${id}`,
    title: null,
    text: 'Acme',
    imageUrl: null,
    links: [],
    publishedAt: world.clock.now(),
    languageHint: null,
    engagement: null,
    replyTo: null,
    author: { id: '42', name: null, handle: null, url: ON_X, avatarUrl: null, followers: null, automated: null },
    review: null,
  })
  const preview = async (...excludedAuthors: string[]) =>
    (await acme.api('POST', '/v1/search', { query: 'acme', matching: { excludedAuthors } })).body.data[0]

  test('excludes whom a keyword would, as far as is known, and buys nothing', async () => {
    people.set('x acme', '42').set('youtube acme', CHANNEL).set('bluesky acme.example', DID)
    posts = [post('1')]
    expect(await preview('@acme', 'https://x.com/acme')).toMatchObject({ matched: true })
    expect(asked).toEqual(['youtube acme'])
    await excluding('https://x.com/acme')
    asked.length = 0
    expect(await preview('jane', '@Acme')).toMatchObject({
      matched: false,
      reason: 'Its author is excluded as “@Acme”.',
    })
    expect(asked).toEqual(['youtube acme'])
  })

  test('asks where that is free, and keeps nothing', async () => {
    people.set('bluesky acme.example', DID)
    posts = [{ ...post('1'), platform: 'bluesky', author: { ...post('1').author!, id: DID, url: null } }]
    expect(await preview('@acme.example')).toMatchObject({
      matched: false,
      reason: 'Its author is excluded as “@acme.example”.',
    })
    expect([asked, await known()]).toEqual([['bluesky acme.example'], []])
  })
})
