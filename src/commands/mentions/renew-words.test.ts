import { expect, test } from 'vitest'
import { makeKeyword, mention } from '../../../test/mentions.ts'
import { useWorld } from '../../../test/use-world.ts'
import { toId } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { NewMention } from './ingest-posts.ts'
import { renewWords } from './renew-words.ts'

const world = useWorld()

const DUE = sql`insert into words_to_renew select distinct workspace_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid
    from mention`

test('mentions of before are found without accents and by their beginnings once their words are made anew', async () => {
  const [acme, other] = [await world.workspace('Acme'), await world.workspace('Other')]
  const found = async (q: string, of = acme) =>
    ((await of.api('GET', `/v1/mentions?q=${encodeURIComponent(q)}`)).body as { data: { id: string }[] }).data
      .map(({ id }) => id)
      .sort()
  const author = { id: 'zoe', name: 'Zoë', handle: 'zoe', url: null, avatarUrl: null, followers: 7, automated: null }
  const keyword = await makeKeyword(acme)
  const made: NewMention[] = []
  for (const text of ['Música popular', 'Nothing', 'músicas', 'Nothing', 'musica'])
    made.push(await mention(world, keyword, { text, author, links: ['https://example.com/a'] }))
  const theirs = await mention(world, await makeKeyword(other), { text: 'música' })
  const ids = (...places: number[]) => places.map((at) => toId('mtn', made[at]!.mentionId)).sort()
  // As mentions stood before words were kept, and found by others than those of now.
  await world.db.query(sql`truncate search_word`)
  await world.db.query(sql`update mention set facets = '{1}', common_words = 0`)
  expect([await found('musica'), await found('music*')]).toEqual([[], []])
  await world.db.query(DUE)
  expect(await renewWords(world, 2)).toBe(6)
  expect([await found('musica'), await found('música'), await found('music*'), await found('zoe')]).toEqual([
    ids(0, 4),
    ids(0, 4),
    ids(0, 2, 4),
    ids(0, 1, 2, 3, 4),
  ])
  expect(await found('musi*', other)).toEqual([toId('mtn', theirs.mentionId)])
  const { body } = await acme.api('GET', '/v1/mentions?linkHosts=example.com')
  expect((body as { data: unknown[] }).data).toHaveLength(5)
  expect((await world.db.query(sql`select from words_to_renew`)).length).toBe(0)
  expect(await renewWords(world)).toBe(0)
})

test('a workspace that somebody else works on is left to them', async () => {
  const acme = await world.workspace('Acme again')
  await mention(world, await makeKeyword(acme), { text: 'rocket' })
  await world.db.query(
    sql`insert into words_to_renew values (${acme.workspaceId}, 'ffffffff-ffff-ffff-ffff-ffffffffffff')`,
  )
  await world.db.transaction(async (tx) => {
    await tx.query(sql`select from words_to_renew for update`)
    expect(await renewWords(world)).toBe(0)
  })
  expect(await renewWords(world)).toBe(1)
})
