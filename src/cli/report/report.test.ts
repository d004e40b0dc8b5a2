import { JSDOM } from 'jsdom'
import { describe, expect, test } from 'vitest'
import { makeKeyword, mention, score } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { run } from '../running.suite.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

async function reportIn(format: string, text: string): Promise<string> {
  const keyword = await makeKeyword(acme)
  const made = await mention(world, keyword, { text })
  await score(world, [made], { sentiment: 'negative' })
  const { code, out } = await run(['report', '--days', '7', '--format', format, '--keyword', keyword.shown.term], {
    env: { EARSHOT_API_KEY: acme.readKey, EARSHOT_URL: world.origin },
    now: () => world.clock.now(),
  })
  expect(code).toBe(0)
  return out
}

describe('a report', () => {
  test('is a page of text with figures, days and mentions', async () => {
    const text = await reportIn('text', 'Acme lost my data')
    expect(text).toMatch(/^Mentions of Acme\n\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d \(UTC\)\n/)
    expect(text).toMatch(/Relevant +1\b/)
    expect(text).toContain('Negative, most urgent first')
    expect(text).toContain('Acme lost my data')
    expect(text).toContain('1 relevant mention is still open.')
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  test('in Markdown lets no text of a stranger be markup', async () => {
    const markdown = await reportIn('markdown', '# Big\n\n| a | <img src=x> [link](https://evil.example) `code`')
    expect(markdown).toContain('# Mentions of Acme')
    expect(markdown).toContain('\\# Big \\| a \\| \\<img src=x\\> \\[link\\](https://evil.example) \\`code\\`')
  })

  test('in HTML loads nothing, runs nothing and shows what a stranger wrote as text', async () => {
    const { document } = new JSDOM(await reportIn('html', '<script>alert(1)</script><img src="https://evil.example">'))
      .window
    expect(document.querySelectorAll('script, img, link, style, iframe')).toHaveLength(0)
    expect(document.querySelector('h1')?.textContent).toBe('Mentions of Acme')
    expect(document.body.textContent).toContain('<script>alert(1)</script>')
    for (const link of document.querySelectorAll('a')) expect(link.href).toMatch(/^https?:/)
  })

  test('reads mentions from the midnight with which its first day begins, also over a change of the clocks', async () => {
    const asked: URL[] = []
    const answers: Readonly<Record<string, object>> = {
      '/v1/whoami': { workspace: { name: 'Acme' } },
      '/v1/analytics/summary': { window: { from: '', to: '' }, current: { sentiment: {} } },
      '/v1/analytics/series': { buckets: [], totals: {} },
    }
    const { code } = await run(['report', '--days', '7', '--timezone', 'Europe/Berlin'], {
      env: { EARSHOT_API_KEY: 'ref_1', EARSHOT_URL: 'https://earshot.example' },
      // Half past midnight in Berlin, where a day of 23 hours lies within the seven.
      now: () => new Date('2026-03-31T22:30:00Z'),
      fetch: async (address) => {
        const url = new URL(String(address))
        asked.push(url)
        return Response.json(answers[url.pathname] ?? { data: [], total: 0 })
      },
    })
    expect(code).toBe(0)
    const of = (path: string, name: string) =>
      new Set(
        asked.filter(({ pathname }) => pathname.startsWith(path)).map(({ searchParams }) => searchParams.get(name)),
      )
    expect([...of('/v1/analytics', 'from'), ...of('/v1/analytics', 'to')]).toEqual(['2026-03-26', '2026-04-01'])
    expect([...of('/v1/mentions', 'since')]).toEqual(['2026-03-25T23:00:00.000Z'])
  })
})
