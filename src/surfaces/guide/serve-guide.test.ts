import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastify from 'fastify'
import { JSDOM } from 'jsdom'
import { describe, expect, test, vi } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import { PUBLIC_URL } from '../../../test/world.ts'
import { Library } from './library.ts'
import { renderMarkdown } from './markdown.ts'
import { serveGuide } from './serve-guide.ts'

const DOCS = fileURLToPath(new URL('../../../docs', import.meta.url))
const LIBRARY = new Library(DOCS)

const world = useWorld()

/** A page as a browser reads it. */
function documentOf(body: unknown) {
  return new JSDOM(String(body)).window.document
}

describe('pages of the guide', () => {
  test('are all answered, with their title, the navigation and nothing that runs', async () => {
    const names = LIBRARY.names()
    expect(names).toEqual(expect.arrayContaining(['get-started', 'guides/webhooks', 'how-it-works/rooms', 'index']))
    for (const name of names) {
      const { status, body } = await world.api('GET', `/guide/${name}`)
      const document = documentOf(body)
      expect([name, status, document.querySelector('h1')?.textContent]).toEqual([name, 200, LIBRARY.page(name)!.title])
      expect([name, document.querySelectorAll('script, [onclick], [style], iframe').length]).toEqual([name, 0])
      expect(document.querySelectorAll('nav li').length).toBeGreaterThan(30)
    }
  })

  test('lead to nothing that is missing', async () => {
    const addresses = new Set(
      LIBRARY.names().flatMap((name) =>
        [...documentOf(LIBRARY.page(name)!.body.text).querySelectorAll('a[href^="/"], img')].map(
          (element) => (element.getAttribute('href') ?? element.getAttribute('src'))!.split('#')[0]!,
        ),
      ),
    )
    expect(addresses.size).toBeGreaterThan(60)
    for (const address of addresses) expect([address, (await world.api('GET', address)).status]).toEqual([address, 200])
  })

  test('mark the page that is open, and keep the rules of the service for content', async () => {
    const { headers, body } = await world.api('GET', '/guide/guides/webhooks')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = headers.get('content-security-policy')!
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; form-action 'self'/)
    expect(policy).not.toMatch(/unsafe|script-src/)
    expect(documentOf(body).querySelector('[aria-current]')?.textContent).toBe('Receive signed webhooks')
  })

  test('are at /guide and /guide/ too, and answer HEAD', async () => {
    for (const path of ['/guide', '/guide/'])
      expect(documentOf((await world.api('GET', path)).body).querySelector('h1')?.textContent).toBe('Documentation')
    const head = await world.api('HEAD', '/guide/get-started')
    expect([head.status, head.body]).toEqual([200, null])
  })

  test('that do not exist are 404, also where a file of that name lies elsewhere', async () => {
    const paths = [
      'nowhere',
      'guides',
      'nowhere.md',
      '..%2FREADME',
      '../README',
      '%2e%2e/package',
      'generated/openapi.json',
    ]
    for (const path of paths) {
      const { status, body } = await world.api('GET', `/guide/${path}`)
      expect([path, status]).toEqual([path, 404])
      if (!path.startsWith('..') && !path.startsWith('%2e')) expect(String(body)).toContain('Page not found')
    }
    expect((await world.api('POST', '/guide/get-started')).status).toBe(405)
  })

  test.each([
    ['how-it-works/rooms.svg', 'image/svg+xml'],
    ['pictures/inbox.png', 'image/png'],
  ])('have their pictures, which can do nothing: %s', async (name, type) => {
    const { status, headers } = await world.api('GET', `/guide/${name}`)
    expect([status, headers.get('content-type')]).toEqual([200, type])
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; sandbox/)
  })

  test('are part of an installation: the folder lies where the built service looks for it', () => {
    expect(existsSync(DOCS)).toBe(true)
    expect(readdirSync(DOCS)).toContain('index.md')
  })
})

describe('search', () => {
  const search = async (query: string) => {
    const { body } = await world.api('GET', `/guide/search?q=${encodeURIComponent(query)}`)
    const document = documentOf(body)
    return { document, hits: [...document.querySelectorAll('.hits a')].map((hit) => String(hit.getAttribute('href'))) }
  }

  test('finds the section that holds all words, guides first', async () => {
    expect((await search('verify signature')).hits[0]).toBe('/guide/guides/webhooks#verify-the-signature')
    expect((await search('Secret KEY change')).hits[0]).toBe('/guide/guides/back-up#change-the-secret-key')
    expect((await search('WEBHOOKS_PER_HOST_SECOND')).hits.length).toBeGreaterThan(0)
    expect((await search('walrus xylophone')).document.querySelector('[role=status]')?.textContent).toContain(
      'No section contains',
    )
  })

  test('says what it wants where nothing was asked', async () => {
    for (const path of ['/guide/search', '/guide/search?q=', '/guide/search?q=%20', '/guide/search?q=a&q=b'])
      expect((await world.api('GET', path)).status).toBe(200)
    expect((await search('')).document.querySelector('[role=status]')?.textContent).toContain('Enter one or more words')
  })

  test.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus='alert(1)",
    '\u202e\0 signature',
    '%'.repeat(150),
    'a '.repeat(2000),
  ])('shows a hostile query as text: number %#', async (query) => {
    const { document } = await search(query)
    expect(document.querySelectorAll('script, img, [onerror], [onfocus], [autofocus]').length).toBe(0)
    expect(document.querySelectorAll('form input').length).toBe(1)
  })
})

test('an installation without its documents has an empty guide', () => {
  const library = new Library('/nowhere/docs')
  expect([library.names(), library.chapters(), library.page('index'), library.search('a')]).toEqual([[], [], null, []])
})

test('markup inside a page is shown as text, and a link leads only where it is allowed to', () => {
  const text =
    '# A\n\n<b onclick="x">bold</b> `<i>` [x](javascript:alert(1)) ![p](../secret.svg)\n\n<script>alert(1)</script>\n'
  const { body, title } = renderMarkdown(text, () => null)
  expect(title).toBe('A')
  expect(documentOf(body.text).querySelectorAll('script, b, a, img, i').length).toBe(0)
  expect(body.text).toContain('&lt;script&gt;')
})

describe('the guide for models', () => {
  test('is listed at the root with addresses that lead to Markdown', async () => {
    const { status, headers, body } = await world.api('GET', '/llms.txt', undefined, { key: null })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    const text = String(body)
    expect(text).toMatch(/^# Earshot\n\n> /)
    expect(text).toContain(`Tool server (MCP): ${PUBLIC_URL}/mcp`)
    expect(text).toContain('\n## Optional\n')
    const addresses = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, address]) => address!)
    expect(addresses.length).toBeGreaterThan(30)
    for (const address of addresses) {
      expect(address.startsWith(PUBLIC_URL)).toBe(true)
      const page = await world.api('GET', address.slice(PUBLIC_URL.length), undefined, { key: null })
      expect([address, page.status]).toEqual([address, 200])
      if (address.endsWith('.md')) expect(page.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    }
  })

  test('is one text with every guide, the operations and the errors', async () => {
    const { status, body } = await world.api('GET', '/llms-full.txt', undefined, { key: null })
    const text = String(body)
    expect(status).toBe(200)
    for (const name of LIBRARY.names().filter((page) => page.startsWith('guides/')))
      expect(text).toContain(`Source: ${PUBLIC_URL}/guide/${name}\n`)
    expect(text).toContain('`GET /v1/mentions`')
    expect(text).toContain('`rate_limited`')
    expect(text).not.toMatch(/\]\((?!https?:|#|\/)/)
    expect(text.length).toBeLessThan(300_000)
  })

  test.each(['/llms.txt', '/llms-full.txt'])('%s is built once', async (path) => {
    const library = new Library(DOCS)
    const read = vi.spyOn(library, 'source')
    const server = fastify()
    serveGuide(server, PUBLIC_URL, library)
    const first = await server.inject(path)
    const reads = read.mock.calls.length
    expect(reads).toBeGreaterThan(0)
    expect((await server.inject(path)).body).toBe(first.body)
    expect(read).toHaveBeenCalledTimes(reads)
  })
})
