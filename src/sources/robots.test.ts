import { expect, test } from 'vitest'
import { liveBytes } from '../../test/live-bytes.ts'
import { BARE_CONTEXT } from './bare-context.suite.ts'
import { ANY_HOST, type CollectContext, SourceFault, type SourceReply } from './contract.ts'
import { Robots } from './robots.ts'

/** Files that are kept here, without a network. */
function site(reply: (url: string) => Partial<SourceReply>) {
  const asked: string[] = []
  const context: CollectContext = {
    ...BARE_CONTEXT,
    at: new Date('2026-11-21T12:00:00Z'),
    async fetch(url) {
      asked.push(url)
      return { status: 200, headers: {}, body: '', ...reply(url) }
    },
  }
  const robots = new Robots()
  return {
    asked,
    check: (address: string, hosts: readonly string[] = [ANY_HOST]) => robots.check(context, address, hosts),
  }
}
const FORBIDDEN = { kind: 'gone' }
const NOTHING = 'User-agent: *\nDisallow: /\n'
const to = (location: string) => ({ status: 301, headers: { location } })

test('a file is read once for all addresses of its host', async () => {
  const { check, asked } = site(() => ({ body: 'User-agent: *\nDisallow: /private\n' }))
  await check('https://a.example/feed')
  await expect(check('https://a.example/private/feed')).rejects.toMatchObject(FORBIDDEN)
  expect(asked).toEqual(['https://a.example/robots.txt'])
})

test('a long file counts up to the end of a line, since half a rule would forbid more', async () => {
  const rules = `User-agent: *\nDisallow: /private\n${'# remark\n'.repeat(1106)}Disallow: /feeds-of-old\n`
  const { check } = site(() => ({ body: `${rules}${'# remark\n'.repeat(1000)}` }))
  expect(rules.slice(0, 10_000)).toMatch(/Disallow: \/f?e?e?d?s?$/)
  await check('https://a.example/feeds')
  await expect(check('https://a.example/private')).rejects.toMatchObject(FORBIDDEN)
})

test('no more of a file is kept than counts', async () => {
  const { check } = site((url) => ({ body: `${url} ${'# remark\n'.repeat(20_000)}` }))
  const before = liveBytes()
  for (let number = 0; number < 200; number += 1) await check(`https://site-${number}.example/`)
  expect(liveBytes() - before).toBeLessThan(10_000_000)
})

test('a file is read where it has moved to, over five redirects at most', async () => {
  const steps = (most: number) =>
    site((url) => {
      const step = Number(url.match(/\d+$/)?.[0] ?? 0)
      return step < most ? to(`https://rules.example/${step + 1}`) : { body: NOTHING }
    })
  await expect(steps(5).check('https://a.example/feed')).rejects.toMatchObject(FORBIDDEN)
  const six = steps(6)
  await six.check('https://a.example/feed')
  expect(six.asked).toHaveLength(6)
})

test('a file that has moved to a host that may not be asked forbids nothing', async () => {
  const { check, asked } = site((url) => (url.includes('a.example') ? to('https://b.example/') : { body: NOTHING }))
  await check('https://a.example/feed', ['a.example'])
  expect(asked).toEqual(['https://a.example/robots.txt'])
})

test('what a moved file said to one who may not follow it does not hold for one who may', async () => {
  const { check } = site((url) => (url.includes('a.example') ? to('https://b.example/') : { body: NOTHING }))
  await check('https://a.example/feed', ['a.example', 'www.a.example'])
  await expect(check('https://a.example/feed')).rejects.toMatchObject(FORBIDDEN)
  await check('https://a.example/feed', ['www.a.example', 'a.example'])
})

test('a file that is too large forbids nothing', async () => {
  const { check } = site(() => {
    throw new SourceFault('unavailable', 'a reply over 10 MB', { onlyThis: true })
  })
  await check('https://a.example/feed')
})

test.each([
  [404, null],
  [403, null],
  [500, { kind: 'unavailable' }],
  [429, { kind: 'throttled' }],
])('a file that is answered with status %i', async (status, fault) => {
  const checked = site(() => ({ status, body: NOTHING })).check('https://a.example/feed')
  await (fault ? expect(checked).rejects.toMatchObject(fault) : checked)
})
