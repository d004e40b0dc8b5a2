import { describe, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, mention, store } from '../../../test/mentions.ts'
import { changeKeyword } from '../../../test/rows.ts'
import { ready, scriptedSources, searchable } from '../../../test/stand-ins/sources.ts'
import { createTape } from '../../../test/stand-ins/tape.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'

const world = useWorld(() => ({
  sources: scriptedSources(ready(createTape('bluesky').source), ready(searchable('x', async function* () {}))),
}))
const acme = useWorkspace(world, 'Acme')
const other = useWorkspace(world, 'Other')

let numbers = 0
const url = () => {
  numbers += 1
  return `https://bsky.app/profile/somebody.example/post/e${numbers}`
}
const explain = (id: string, body: object, workspace = acme) =>
  workspace.api('POST', `/v1/keywords/${id}/explain`, body)
const step = (body: { steps: { step: string }[] }, name: string) => body.steps.find((step) => step.step === name)

describe('by address', () => {
  test('a mention of the keyword is shown as such, also with what often hangs on behind an address', async () => {
    const keyword = await makeKeyword(acme, { term: 'nothing' })
    const address = url()
    await mention(world, keyword, { url: address, publishedAt: plus(world.clock.now(), 1000) })
    for (const given of [address, `${address}?ref=1#top`, `${address}/`]) {
      const { status, body } = await explain(keyword.shown.id, { url: given })
      expect([status, body.known, body.matched, body.reason]).toEqual([
        200,
        true,
        true,
        'It is a mention of this keyword.',
      ])
      expect(body.mention.id).toMatch(/^mtn_/)
      expect(body.post).toMatchObject({ platform: 'bluesky', url: address, excerpt: 'A post about nothing.' })
    }
    await acme.api('PATCH', `/v1/keywords/${keyword.shown.id}`, { matching: { excludedTerms: ['post'] } })
    expect((await explain(keyword.shown.id, { url: address })).body.reason).toBe(
      'It is a mention of this keyword, but a post like it would not become one now. The post contains the excluded term “post”.',
    )
  })

  test('a post that another keyword of the workspace has is explained, and one that only another workspace has is not known', async () => {
    const [mine, wanted] = [await makeKeyword(acme), await makeKeyword(acme, { term: 'rocket' })]
    const theirs = await makeKeyword(other)
    const [shared, foreign] = [url(), url()]
    await store(world, [
      matchedBy(makePost(world, { url: shared }), [mine]),
      matchedBy(makePost(world, { url: foreign }), [theirs]),
    ])
    expect((await explain(wanted.shown.id, { url: shared })).body).toMatchObject({
      known: true,
      matched: false,
      mention: null,
      reason: expect.stringContaining('“rocket” does not'),
    })
    expect((await explain(wanted.shown.id, { url: foreign })).body).toMatchObject({
      known: false,
      matched: null,
      steps: [],
      post: null,
      reason: expect.stringContaining('Send its text'),
    })
  })

  test('a post that was dropped within a day says for what', async () => {
    const { uuid, shown } = await makeKeyword(acme)
    const address = url()
    await world.db.query(sql`
      insert into rejected_post (workspace_id, id, keyword_id, post_id, platform, url, excerpt, reason, published_at,
        created_at)
      values (${acme.workspaceId}, gen_random_uuid(), ${uuid}, gen_random_uuid(), 0, ${address}, 'x', 'excluded_term',
        ${world.clock.now()}, ${world.clock.now()})`)
    expect((await explain(shown.id, { url: address })).body).toMatchObject({
      known: false,
      rejected: { reason: 'excluded_term', at: world.clock.now().toISOString() },
      reason: expect.stringContaining('it held a term that the keyword excludes'),
    })
  })
})

describe('matches', () => {
  const slicesOf = ({ matches }: { matches: { field: string; from: number; to: number }[] }, shown: object) =>
    matches.map(({ field, from, to }) => [field, (shown as Record<string, string>)[field]!.slice(from, to)])

  test('the places of the term are offsets into title and text of the mention', async () => {
    const keyword = await makeKeyword(acme, { term: 'torch' })
    const address = url()
    const text = '👩‍💻 Ｔｏｒｃｈ, torches, #torch – https://torch.example'
    await mention(world, keyword, { url: address, title: 'The Torch', text, links: ['https://torch.example/a'] })
    const { body } = await explain(keyword.shown.id, { url: address })
    const { post } = (await acme.api('GET', `/v1/mentions/${body.mention.id}`)).body
    expect(slicesOf(body, post)).toEqual([
      ['title', 'Torch'],
      ['text', 'Ｔｏｒｃｈ'],
      ['text', 'torch'],
      ['text', 'torch'],
    ])
  })

  test('a text of the caller has places by the case of the keyword, at most 50', async () => {
    const { shown } = await makeKeyword(acme, { term: 'Flint', matching: { caseSensitive: true } })
    const text = 'flint, Flint and FLINT'
    const { body } = await explain(shown.id, { text, title: 'A flint' })
    expect(slicesOf(body, { text })).toEqual([['text', 'Flint']])
    expect((await explain(shown.id, { text: 'Flint '.repeat(60), title: 'Flint' })).body.matches).toHaveLength(50)
  })

  test('a post without the term, or with the term only in a link, has none', async () => {
    const { shown } = await makeKeyword(acme, { term: 'quartz.example' })
    const links = ['https://quartz.example/a']
    expect((await explain(shown.id, { text: 'See here.', links })).body).toMatchObject({ matches: [] })
    expect((await explain(shown.id, { url: url() })).body).toMatchObject({ known: false, matches: [] })
  })
})

describe('by text', () => {
  test('everything that is not a matter of rules has its step', async () => {
    const { uuid, shown } = await makeKeyword(acme, { term: 'sled', cap: { mentions: 50 } })
    const given = { text: 'A sled.', platform: 'bluesky', publishedAt: world.clock.now().toISOString() }
    expect((await explain(shown.id, given)).body).toMatchObject({ known: true, matched: true, mention: null })
    expect(step((await explain(shown.id, { text: 'A sled.' })).body, 'platform')).toMatchObject({ passed: null })
    expect(step((await explain(shown.id, { ...given, platform: 'github' })).body, 'source')).toMatchObject({
      passed: false,
    })

    await changeKeyword(world, uuid, { pausedForCap: true })
    expect((await explain(shown.id, given)).body).toMatchObject({
      matched: false,
      reason: 'The keyword has reached its monthly limit.',
    })
    await world.clock.advance(40 * DAY_MS)
    expect(step((await explain(shown.id, given)).body, 'cap')).toMatchObject({ passed: true })
    await acme.api('PATCH', `/v1/keywords/${shown.id}`, { muted: true })
    expect((await explain(shown.id, given)).body.reason).toContain('it is muted')
  })

  test('the time says what a new keyword looks back for', async () => {
    const { shown } = await makeKeyword(acme, { term: 'anvil' })
    const at = (days: number) => plus(world.clock.now(), -days * DAY_MS).toISOString()
    const time = async (platform: string, days: number) =>
      step((await explain(shown.id, { text: 'anvil', platform, publishedAt: at(days) })).body, 'time')
    expect(await time('x', 5)).toMatchObject({ passed: null, detail: expect.stringContaining('at most 10 posts') })
    expect(await time('x', 31)).toMatchObject({
      passed: false,
      detail: 'It is older than the 30 days that a new keyword looks back.',
    })
    expect(await time('instagram', 11)).toMatchObject({ passed: false })
    expect(await time('bluesky', 1)).toMatchObject({ passed: false })
    expect(await time('bluesky', 0)).toMatchObject({ passed: true })
  })

  test('a filter of places is passed only where it was looked at: the address says the platform, and without one it cannot be told', async () => {
    const placed = await world.workspace('Placed')
    const { shown } = await makeKeyword(placed, { term: 'glider' })
    const asked = async (body: object) => {
      const answer = (await explain(shown.id, { text: 'glider', ...body }, placed)).body
      return [answer.post.platform, (step(answer, 'workspace_filters') as { passed?: boolean }).passed, answer.matched]
    }
    const issue = 'https://github.com/Acme/App/issues/3'
    await placed.api('PATCH', '/v1/filters', { excludedRepos: ['acme/app'] })
    expect(await asked({ url: issue })).toEqual(['github', false, false])
    // This installation reads no GitHub, and that alone keeps other repositories from matching.
    expect(await asked({ url: 'https://github.com/other/app/issues/3' })).toEqual(['github', true, false])
    expect(await asked({})).toEqual([null, null, null])
    expect(await asked({ platform: 'github' })).toEqual(['github', null, false])
    expect(await asked({ platform: 'x' })).toEqual(['x', true, true])
    expect(await asked({ url: 'https://blog.example/glider' })).toEqual([null, true, true])
    expect(await asked({ url: 'some text' })).toEqual([null, null, null])
    expect((await explain(shown.id, { text: 'glider' }, placed)).body.reason).toContain('was not given')

    await placed.api('PATCH', '/v1/filters', { excludedRepos: [], subreddits: { only: ['rust'] } })
    expect(await asked({ url: 'https://www.reddit.com/r/zig/comments/1/x/' })).toEqual(['reddit', false, false])
    expect(await asked({ url: 'https://www.reddit.com/r/Rust/comments/1/x/' })).toEqual(['reddit', true, false])
    expect(await asked({ platform: 'reddit' })).toEqual(['reddit', null, false])
    expect(await asked({ url: issue })).toEqual(['github', true, false])
    expect(await asked({})).toEqual([null, null, null])

    await placed.api('PATCH', '/v1/filters', { subreddits: { only: [] } })
    expect(await asked({})).toEqual([null, true, true])
    const narrow = await makeKeyword(placed, { term: 'sailplane', platforms: ['x'] })
    expect((await explain(narrow.shown.id, { text: 'sailplane' }, placed)).body).toMatchObject({
      known: true,
      matched: null,
    })
  })

  test('hostile text is explained like any other', async () => {
    const { shown } = await makeKeyword(acme, { term: 'c++' })
    const text = '<script>alert(1)</script> c+++ '.repeat(200)
    expect((await explain(shown.id, { text })).status).toBe(200)
  })
})

test.each([
  [{}, 'body'],
  [{ url: 'https://a.example', platform: 'x' }, 'body'],
  [{ text: '' }, 'text'],
  [{ text: 'a', platform: 'myspace' }, 'platform'],
])('%j is refused', async (body, _) => {
  const { shown } = await makeKeyword(acme)
  const answer = await explain(shown.id, body)
  expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error'])
})

test('a workspace may ask 60 times a minute', async () => {
  const busy = await world.workspace('Busy')
  const { shown } = await makeKeyword(busy)
  for (let time = 0; time < 60; time += 1) expect((await explain(shown.id, { text: 'a' }, busy)).status).toBe(200)
  expect((await explain(shown.id, { text: 'a' }, busy)).body.error.code).toBe('rate_limited')
  expect((await explain(shown.id, { text: 'a' }, busy)).status).toBe(429)
})

test('a read key may not use it, and a foreign keyword is not found', async () => {
  const { shown } = await makeKeyword(acme)
  const path = `/v1/keywords/${shown.id}/explain`
  expect((await acme.api('POST', path, { text: 'a' }, { key: acme.readKey })).body.error.code).toBe('read_only_key')
  expect((await explain(shown.id, { text: 'a' }, other)).status).toBe(404)
})
