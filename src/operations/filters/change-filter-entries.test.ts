import { beforeEach, expect, test } from 'vitest'
import { empty } from '../../../test/rows.ts'
import { ready, scriptedSources } from '../../../test/stand-ins/sources.ts'
import { createTape } from '../../../test/stand-ins/tape.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { sql } from '../../store/database.ts'

const DID = 'did:plc:z72i7hdynmk6r22z27h6tvur'
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

const change = (body: object) => acme.api('PATCH', '/v1/filters/entries', body)
const filters = async () => (await acme.api('GET', '/v1/filters')).body
const keys = async () =>
  (await world.db.query<{ keys: string[] }>(sql`select excluded_author_keys as keys from workspace_filters`))[0]!.keys

test('entries come and go in their normal form, and the rest stays', async () => {
  await acme.api('PATCH', '/v1/filters', {
    excludedTerms: ['old', 'stays'],
    excludedRepos: ['acme/app'],
    subreddits: { excluded: ['spam'] },
  })
  const { status, body } = await change({
    add: {
      excludedTerms: ['NEW', 'stays'],
      excludedRepos: ['https://github.com/Acme/Other/issues/1'],
      subreddits: { only: ['r/Rust'] },
    },
    remove: { excludedTerms: ['OLD', 'never there'], subreddits: { excluded: ['https://reddit.com/r/spam'] } },
    ifVersion: 2,
  })
  expect([status, body]).toEqual([
    200,
    {
      added: 3,
      removed: 2,
      entries: { excludedTerms: 2, excludedAuthors: 0, excludedRepos: 2, subreddits: { only: 1, excluded: 0 } },
      version: 3,
      updatedAt: world.clock.now().toISOString(),
    },
  ])
  expect(await filters()).toMatchObject({
    excludedTerms: ['stays', 'new'],
    excludedRepos: ['acme/app', 'acme/other'],
    subreddits: { only: ['rust'], excluded: [] },
    version: 3,
  })
})

test('the same again changes nothing, and an entry that is taken away and added stays', async () => {
  const body = { add: { excludedTerms: ['spam'] }, remove: { excludedTerms: ['spam', 'other'] } }
  expect((await change(body)).body).toMatchObject({ added: 1, removed: 0, version: 2 })
  expect((await change(body)).body).toMatchObject({ added: 0, removed: 0, version: 2 })
  expect((await change({})).body).toMatchObject({ added: 0, removed: 0, version: 2 })
})

test('a person who is added is known by the id, also when others come and go', async () => {
  people.set('one.example', DID)
  await change({ add: { excludedAuthors: ['https://bsky.app/profile/one.example', 'Jane Doe'] } })
  const withId = await keys()
  expect(withId.join(' ')).toContain(DID)
  await change({ add: { excludedAuthors: ['@two'] }, remove: { excludedAuthors: ['jane doe'] } })
  expect((await keys()).join(' ')).toContain(DID)
  expect((await filters()).excludedAuthors).toHaveLength(2)
  await change({ remove: { excludedAuthors: ['https://bsky.app/profile/one.example'] } })
  expect((await keys()).join(' ')).not.toContain(DID)
})

test('a long list is filled in steps, to its limit and no further', async () => {
  for (let step = 0; step < 4; step += 1) {
    const add = { excludedTerms: Array.from({ length: 500 }, (_, at) => `${'x'.repeat(95)} ${step * 500 + at}`) }
    expect((await change({ add })).body).toMatchObject({ added: 500, entries: { excludedTerms: (step + 1) * 500 } })
  }
  const over = await change({ add: { excludedTerms: ['one more'] } })
  expect(over.body.error.message).toBe('add.excludedTerms: would make the list longer than 2000 entries')
  expect(
    (await change({ add: { excludedTerms: ['one more'] }, remove: { excludedTerms: [`${'x'.repeat(95)} 0`] } })).status,
  ).toBe(200)
})

test('a version that is over, too many entries and wrong ones are refused, and nothing changes', async () => {
  const refused = async (body: object) => (await change(body)).body.error
  expect(await refused({ add: { excludedTerms: ['a'] }, ifVersion: 7 })).toMatchObject({ code: 'stale_version' })
  const many = (count: number) => Array.from({ length: count }, (_, at) => `word ${at}`)
  expect(
    (await refused({ add: { excludedTerms: many(300) }, remove: { excludedTerms: many(201) } })).message,
  ).toContain('at most 500 entries, together')
  expect((await refused({ add: { excludedTerms: ['good', '*'] } })).message).toBe(
    'add.excludedTerms.1: must contain more than a wildcard',
  )
  expect((await refused({ remove: { excludedRepos: ['nowhere'] } })).message).toBe(
    'remove.excludedRepos.0: must be a repository: owner/name',
  )
  expect(await filters()).toMatchObject({ version: 1, excludedTerms: [] })
})
