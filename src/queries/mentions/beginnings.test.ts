import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, store } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { wordsOfPost } from '../../commands/mentions/search-words.ts'
import type { Filterable } from '../../domain/filter/field.ts'
import { predicateOf } from '../../domain/filter/predicate.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { searchTerms } from '../../matching/index.ts'
import { sql } from '../../store/database.ts'
import { maintainBlocks } from '../../store/filter/mention-blocks.ts'
import { keepWords } from '../../store/filter/search-words.ts'
import { WORDS_BEGINNING_MAX } from './beginnings.ts'

const SEED = Number(process.env['FILTER_SEED'] ?? Math.trunc(Math.random() * 2 ** 31))
/** Words that share beginnings, in some of the ways in which they are written. */
const STEMS = [
  'música',
  'musica',
  'músico',
  'MUSIC',
  'Mús',
  'museum',
  'straße',
  'strassen',
  'Łódź',
  'lodzer',
  'that',
  'their',
  'the',
  '音楽',
  'ещё',
  'еще',
  'й2024',
  'gpt4',
  'gpt',
]
const MENTIONS = 300

let texts: Map<string, string>
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  const keyword = await makeKeyword(acme)
  const of = fc.sample(fc.array(fc.constantFrom(...STEMS), { minLength: 1, maxLength: 3 }), {
    numRuns: MENTIONS,
    seed: SEED,
  })
  texts = new Map()
  for (const [at, words] of of.entries()) {
    // The last words are in few mentions, none of which is among the newest.
    const text = [...words, ...(at < 5 ? [`seldom${at}`] : [])].join(' ')
    const post = makePost(world, { text, author: null })
    const [made] = await store(world, [matchedBy(post, [keyword])], {
      at: plus(world.clock.now(), -DAY_MS),
      metered: false,
    })
    texts.set(toId('mtn', made!.mentionId), text)
  }
  await maintainBlocks(world.db, world.clock.now())
})

async function found(parameters: Record<string, string>): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ limit: '100', ...parameters, ...(cursor === '' ? {} : { cursor }) })
    const { body } = await acme.api('GET', `/v1/mentions?${query}`)
    const page = body as { data: { id: string }[]; nextCursor: string | null }
    ids.push(...page.data.map(({ id }) => id))
    cursor = page.nextCursor
  }
  return ids.sort()
}

function expected(q: string): string[] {
  const holds = predicateOf({ q }, (text) => searchTerms(text, 3))
  return [...texts]
    .flatMap(([id, text]) =>
      holds({ words: wordsOfPost(makePost(world, { text, author: null })) } as unknown as Filterable) ? [id] : [],
    )
    .sort()
}

const questions = fc
  .array(
    fc
      .tuple(fc.constantFrom(...STEMS, 'seldom', 'seldom3', 'nowhere'), fc.nat(6), fc.boolean())
      .map(([word, cut, begins]) => {
        const beginning = [...word].slice(0, Math.max(3, [...word].length - cut)).join('')
        return begins ? `${beginning}*` : word
      }),
    { minLength: 1, maxLength: 2 },
  )
  .map((words) => words.join(' '))
  .filter((question) => !/(^| )\P{Script=Han}{1,2}\*/u.test(question))

test('lists in every order, counts, and alternatives find the mentions that hold a word with the beginning, with or without accents', async () => {
  const sizes = new Set<number>()
  await fc.assert(
    fc.asyncProperty(questions, async (q) => {
      const wanted = expected(q)
      sizes.add(wanted.length)
      expect(await found({ q }), q).toEqual(wanted)
      expect(await found({ q, sort: 'published' }), q).toEqual(wanted)
      expect(await found({ anyOf: JSON.stringify([{ q }, { minLikes: 1e9 }]) }), q).toEqual(wanted)
      expect((await acme.api('GET', `/v1/mentions/count?q=${encodeURIComponent(q)}`)).body, q).toEqual({
        total: wanted.length,
      })
    }),
    { numRuns: 60, seed: SEED },
  )
  expect(sizes.size, `FILTER_SEED=${SEED}`).toBeGreaterThan(5)
}, 300_000)

test('what few mentions say is found among many', async () => {
  expect(await found({ q: 'seld*' })).toEqual(expected('seldom*'))
  expect(expected('seldom*')).toHaveLength(5)
})

test('a beginning of more words than can be looked for is refused, and a longer one is not', async () => {
  const words = Array.from({ length: WORDS_BEGINNING_MAX + 1 }, (_, at) => `crowd${String(at).padStart(4, '0')}`)
  await world.db.transaction((tx) => keepWords(tx, [{ workspaceId: acme.workspaceId, words }], null))
  for (const path of ['/v1/mentions', '/v1/mentions/count', '/v1/mentions/export.json', '/v1/analytics/summary']) {
    const { status, body } = await acme.api('GET', `${path}?q=${encodeURIComponent('crow*')}`)
    const { code, message } = (body as { error: { code: string; message: string } }).error
    expect([status, code, message]).toEqual([
      400,
      'validation_error',
      `q: more than ${WORDS_BEGINNING_MAX} words begin with crow; write more of the word before the asterisk`,
    ])
  }
  expect(await found({ q: 'crowd000*' })).toEqual([])
  await world.db.query(sql`delete from search_word where word like 'crowd%'`)
})

test('a beginning that is too short, or an asterisk before a word, is refused wherever it is asked', async () => {
  for (const [q, reason] of [
    ['go*', 'must hold at least 3 characters of a word before an asterisk'],
    ['*oogle', 'an asterisk can only stand at the end of a word, as in goog*'],
  ]) {
    const { body } = await acme.api('GET', `/v1/mentions?q=${encodeURIComponent(q!)}`)
    expect((body as { error: { message: string } }).error.message).toBe(`q: ${reason}`)
    const view = await acme.api('POST', '/v1/views', { name: 'View', filter: { q } })
    expect((view.body as { error: { message: string } }).error.message).toBe(`filter.q: ${reason}`)
  }
})
