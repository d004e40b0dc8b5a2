import { beforeEach, expect, test } from 'vitest'
import { makeKeyword, mention } from '../../../test/mentions.ts'
import { empty } from '../../../test/rows.ts'
import { ready, scriptedSources } from '../../../test/stand-ins/sources.ts'
import { createTape } from '../../../test/stand-ins/tape.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { refreshHandles } from '../../commands/authors/refresh-handles.ts'
import { DAY_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'

const people = new Map<string, string>()
const world = useWorld(() => {
  const bluesky = {
    ...createTape('bluesky').source,
    resolveAuthor: async (_: unknown, handle: string) => people.get(handle) ?? null,
  }
  return { sources: scriptedSources(ready(bluesky)) }
})
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  people.clear()
  await empty(world, 'author_identity', 'workspace_filters')
})

const DID = 'did:plc:z72i7hdynmk6r22z27h6tvur'
const OTHER = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz'
const patch = (body: object) => acme.api('PATCH', '/v1/filters', body)
const keys = async () =>
  (await world.db.query<{ keys: string[] }>(sql`select excluded_author_keys as keys from workspace_filters`))[0]?.keys

test('null clears a list, and both lists of subreddits', async () => {
  const lists = {
    excludedTerms: ['a'],
    excludedAuthors: ['@b'],
    excludedRepos: ['c/d'],
    subreddits: { only: ['e1x'], excluded: ['f2x'] },
  }
  await patch(lists)
  const first = await patch({ excludedTerms: null, excludedAuthors: null, subreddits: { only: null } })
  expect(first.body).toMatchObject({
    excludedTerms: [],
    excludedAuthors: [],
    excludedRepos: ['c/d'],
    subreddits: { only: [], excluded: ['f2x'] },
    version: 3,
  })
  const second = await patch({ excludedRepos: null, subreddits: null })
  expect(second.body).toMatchObject({ excludedRepos: [], subreddits: { only: [], excluded: [] }, version: 4 })
})

test('entries are brought into their normal form, without repeats', async () => {
  const sent = {
    excludedTerms: ['  Giveaway ', 'giveaway', 'DEPLOY*'],
    excludedAuthors: ['@SpamBot', 'https://twitter.com/Acme/status/1', 'u/Bot_1', 'Jane  Doe'].filter(
      (entry) => !entry.includes('status'),
    ),
    excludedRepos: ['https://github.com/Acme/App/issues/3', 'acme/app', 'Other/Thing.git'],
    subreddits: {
      only: ['r/Programming', 'https://www.reddit.com/r/programming/comments/1/x/'],
      excluded: ['/r/Jobs/'],
    },
  }
  expect((await patch(sent)).body).toMatchObject({
    excludedTerms: ['giveaway', 'deploy*'],
    excludedAuthors: ['spambot', 'https://www.reddit.com/user/bot_1', 'jane doe'],
    excludedRepos: ['acme/app', 'other/thing'],
    subreddits: { only: ['programming'], excluded: ['jobs'] },
    version: 2,
  })
})

test('a list that is absent stays, an empty one is cleared, and a change that changes nothing is none', async () => {
  const first = await patch({ excludedTerms: ['a1'], subreddits: { only: ['one'], excluded: ['two'] } })
  expect((await patch({ excludedTerms: ['A1'], subreddits: {} })).body).toEqual(first.body)
  expect((await patch({ subreddits: { only: [] } })).body).toMatchObject({
    excludedTerms: ['a1'],
    subreddits: { only: [], excluded: ['two'] },
    version: 3,
  })
})

test('a change on what was read before is refused, and of two at once one is made', async () => {
  const answers = await Promise.all(['one', 'two'].map((term) => patch({ excludedTerms: [term], ifVersion: 1 })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('stale_version')
})

test.each([
  [{ excludedTerms: ['good', '**'] }, 'excludedTerms.1: must contain more than a wildcard'],
  [{ excludedTerms: ['\ufdfa'.repeat(200)] }, 'excludedTerms.0: is too long once its characters are written out'],
  [{ excludedTerms: ['good', 'İ'.repeat(200)] }, 'excludedTerms.1: is too long once its characters are written out'],
  [{ excludedAuthors: ['\ufdfa'.repeat(100)] }, 'excludedAuthors.0: is too long once its characters are written out'],
  [{ excludedTerms: ['a'.repeat(201)] }, 'excludedTerms.0: must have at most 200 characters'],
  [{ excludedAuthors: ['https://github.com/acme/app'] }, 'excludedAuthors.0: a repository names no person'],
  [
    { excludedAuthors: ['https://x.com/i/status/9'] },
    'excludedAuthors.0: this link does not name its author; send the profile link, the @handle or the name',
  ],
  [{ excludedRepos: ['acme/app', 'acme'] }, 'excludedRepos.1: must be a repository: owner/name'],
  [{ subreddits: { only: ['r/a b'] } }, 'subreddits.only.0: must be a subreddit: its name or a link to it'],
  [
    { subreddits: { excluded: ['https://evil.example/r/x'] } },
    'subreddits.excluded.0: must be a subreddit: its name or a link to it',
  ],
  [{ excludedTerms: 'a' }, 'excludedTerms: must be a list'],
  [{ excludedUsers: [] }, 'excludedUsers: is not a field of this operation'],
])('%j is refused by naming the entry, and changes nothing', async (body, message) => {
  const { status, body: answer } = await patch(body)
  expect([status, answer.error.message]).toEqual([400, message])
  expect((await acme.api('GET', '/v1/filters')).body.version).toBe(1)
})

test('2,000 entries are taken and not one more', async () => {
  const terms = Array.from({ length: 2000 }, (_, number) => `t${number}`)
  expect((await patch({ excludedTerms: terms })).body.excludedTerms).toHaveLength(2000)
  expect((await patch({ excludedTerms: [...terms, 'more'] })).body.error.message).toBe(
    'excludedTerms: must have at most 2000 entries',
  )
})

test('a handle stands for the person who has it, also after its list was sent back as it was shown, and follows whoever has it', async () => {
  people.set('acme.example', DID)
  const { body } = await patch({ excludedAuthors: ['@acme.example', '@bot'] })
  expect(body.excludedAuthors).toEqual(['acme.example', 'bot'])
  expect(await keys()).toEqual(['acme.example', 'bot', `https://bsky.app/profile/${DID}`])
  await patch({ excludedAuthors: [...body.excludedAuthors, 'jane'] })
  const [kept] = await world.db.query<{ written: string[] }>(
    sql`select excluded_authors as written from workspace_filters`,
  )
  expect(kept?.written).toEqual(['acme.example', '@bot', 'jane'])
  people.set('acme.example', OTHER)
  await world.clock.advance(2 * DAY_MS)
  expect(await refreshHandles(world.services)).toBe(1)
  expect(await keys()).toContain(`https://bsky.app/profile/${OTHER}`)
  expect(await keys()).not.toContain(`https://bsky.app/profile/${DID}`)
  expect((await acme.api('GET', '/v1/filters')).body.version).toBe(3)
})

test('the link of a post that the workspace has stands for its author, and of others nothing is told', async () => {
  const author = {
    id: '42',
    name: null,
    handle: 'acme',
    url: 'https://x.com/acme',
    avatarUrl: null,
    followers: null,
    automated: null,
  }
  await mention(world, await makeKeyword(acme), { platform: 'x', nativeId: '4711', author })
  const entry = 'https://x.com/i/status/4711'
  expect((await patch({ excludedAuthors: [entry] })).body.excludedAuthors).toEqual([
    'https://x.com/acme',
    'https://x.com/i/user/42',
  ])
  const other = await world.workspace('Other')
  expect((await other.api('PATCH', '/v1/filters', { excludedAuthors: [entry] })).status).toBe(400)
})
