import { beforeEach, expect, test } from 'vitest'
import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'

let keyword: TestKeyword
const world = useWorld()
beforeEach(() => world.clock.advance(MINUTE_MS))
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(async () => {
  keyword = await makeKeyword(acme)
})

const create = (body: object, workspace = acme) => workspace.api('POST', '/v1/views', body)

const HOSTILE = '<script>alert(1)</script> & ]]> \u202edrow\u202c =1+1 \ufffe end'
const read = (url: string, headers: Record<string, string> = {}) =>
  fetch(url.replace('https://earshot.test', world.origin), { headers })
const parse = async (text: string) => {
  const { JSDOM } = await import('jsdom')
  return new JSDOM(text, { contentType: 'application/xml' }).window.document
}
const hrefsOf = (document: Document, selector: string) =>
  [...document.querySelectorAll(selector)].map((link) => link.getAttribute('href'))
type Document = Awaited<ReturnType<typeof parse>>
const textsOf = (document: Document, name: string): (string | null)[] =>
  [...document.getElementsByTagName(name)].map((element) => element.textContent)

test('shows what the view shows, the newest first, to whoever has its address', async () => {
  const made = []
  for (const at of [1, 2, 3])
    made.push(
      await mention(world, keyword, {
        text: `Post ${at}`,
        title: at === 2 ? 'A title' : null,
        url: `https://example.com/${at}?a=1&b=2`,
      }),
    )
  await score(world, made)
  const { body } = await create({
    name: 'Feed & <more>',
    description: 'About',
    filter: { keywordIds: [keyword.shown.id] },
  })
  const reply = await read(body.feedUrl)
  expect([reply.status, reply.headers.get('content-type'), reply.headers.get('cache-control')]).toEqual([
    200,
    'application/atom+xml; charset=utf-8',
    'private, max-age=60',
  ])
  const document = await parse(await reply.text())
  expect(document.documentElement.namespaceURI).toBe('http://www.w3.org/2005/Atom')
  expect(textsOf(document, 'title')).toEqual(['Feed & <more>', 'Post 3', 'A title', 'Post 1'])
  const ids = textsOf(document, 'id')
  expect(new Set(ids).size).toBe(4)
  for (const id of ids) expect(id).toMatch(/^urn:earshot:(vw|mtn)_/)
  expect(hrefsOf(document, 'entry > link[rel=alternate]')).toEqual(
    [3, 2, 1].map((at) => `https://example.com/${at}?a=1&b=2`),
  )
  const inDashboard = ids.slice(1).map((id) => `https://earshot.test/mentions/${id!.replace('urn:earshot:', '')}`)
  expect(hrefsOf(document, 'entry > link[rel=related]')).toEqual(inDashboard)
  expect(hrefsOf(document, 'content a')).toEqual(inDashboard)
  // RFC 4287 asks each entry, and the feed, for an id, a title and an update, and each entry for an author. XHTML stands in one `div`.
  for (const item of [document.documentElement, ...document.querySelectorAll('entry')])
    expect([...item.children].filter(({ tagName }) => ['id', 'title', 'updated'].includes(tagName))).toHaveLength(3)
  expect(document.querySelectorAll('entry > author > name')).toHaveLength(3)
  for (const content of document.getElementsByTagName('content')) {
    expect([content.getAttribute('type'), content.children.length]).toEqual(['xhtml', 1])
    expect(content.firstElementChild).toMatchObject({ localName: 'div', namespaceURI: 'http://www.w3.org/1999/xhtml' })
  }
})

test('carries hostile text as the text that it is', async () => {
  await score(world, [
    await mention(world, keyword, {
      text: HOSTILE,
      title: HOSTILE,
      author: { id: 'a', name: HOSTILE, handle: null, url: null, avatarUrl: null, followers: null, automated: null },
    }),
  ])
  const { body } = await create({ name: 'Hostile' })
  const document = await parse(await (await read(body.feedUrl)).text())
  const harmless = HOSTILE.replace('\ufffe', '')
  expect(textsOf(document, 'content')).toEqual([`${harmless}Open in Earshot`])
  expect(textsOf(document, 'name')).toEqual([harmless])
  expect(document.getElementsByTagName('script')).toHaveLength(0)
})

test('keeps the lines of a post, and shows a post without text by its link alone', async () => {
  await score(world, [
    await mention(world, keyword, { text: 'A line\n\nand <b>another</b>' }),
    await mention(world, keyword, { text: '', title: null }),
  ])
  const { body } = await create({ name: 'Lines' })
  const document = await parse(await (await read(body.feedUrl)).text())
  const paragraphs = [...document.getElementsByTagName('p')].map((paragraph) => [
    paragraph.textContent,
    paragraph.getElementsByTagName('br').length,
  ])
  expect(paragraphs).toHaveLength(3)
  expect(paragraphs).toContainEqual(['A lineand <b>another</b>', 2])
})

test('is not sent again while nothing has changed', async () => {
  const { body } = await create({ name: 'Tagged' })
  const tag = (await read(body.feedUrl)).headers.get('etag')!
  const again = await read(body.feedUrl, { 'if-none-match': `"other", W/${tag}` })
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag])
  await score(world, [await mention(world, keyword)])
  expect((await read(body.feedUrl, { 'if-none-match': tag })).status).toBe(200)
})

test("leads nowhere without its token, with another view's, after the token was changed, and when the view is gone", async () => {
  const { body } = await create({ name: 'Secret' })
  const other = (await create({ name: 'Other' })).body
  const tokenOf = (url: string) => new URL(url).searchParams.get('token')!
  const statusOf = async (url: string) => (await read(url)).status
  expect(await statusOf(body.feedUrl.replace(tokenOf(body.feedUrl), tokenOf(other.feedUrl)))).toBe(404)
  expect(await statusOf(body.feedUrl.replace(tokenOf(body.feedUrl), 'nonsense'))).toBe(404)
  expect(await statusOf(body.feedUrl.replace(/\?.*/, ''))).toBe(400)
  const fresh = (await acme.api('POST', `/v1/views/${body.id}/rotate-feed-token`)).body
  expect([await statusOf(body.feedUrl), await statusOf(fresh.feedUrl)]).toEqual([404, 200])
  await acme.api('DELETE', `/v1/views/${body.id}`)
  expect(await statusOf(fresh.feedUrl)).toBe(404)
})

test('has a limit that wrong guesses do not use up', async () => {
  const { body } = await create({ name: 'Limited' })
  const wrong = `${body.feedUrl.slice(0, -1)}${body.feedUrl.endsWith('A') ? 'B' : 'A'}`
  for (let at = 0; at < 40; at += 1) expect((await read(wrong)).status).toBe(404)
  const statuses = []
  for (let at = 0; at < 31; at += 1) statuses.push((await read(body.feedUrl)).status)
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429])
})

test('hides what lists hide, and never shows its token in the log', async () => {
  const { body } = await create({ name: 'Hidden', filter: { sentiments: ['negative'] } })
  await score(world, [await mention(world, keyword)], { sentiment: 'positive' })
  const text = await (await read(body.feedUrl)).text()
  expect(text).not.toContain('<entry>')
  expect(JSON.stringify(world.logged)).not.toContain('efd_')
})
