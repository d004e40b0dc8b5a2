import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../kernel/markup.ts'
import { GUIDE_HEADERS, renderGuidePage } from './guide-page.ts'
import { Library, type SearchHit } from './library.ts'
import { guidesAndReference, listOfPages } from './llms.ts'

/** Next to `src`, or to `dist` in an installation. */
const FOLDER = fileURLToPath(new URL('../../../docs', import.meta.url))
const QUERY_LIMIT = 200

/** A picture opened by itself runs nothing either. */
const PICTURE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  'Cache-Control': 'public, max-age=300',
} as const

const TEXT_HEADERS = { 'Cache-Control': 'public, max-age=300' } as const

/** Built at the first request, since the pages do not change while the service runs. */
const TEXTS = [
  ['/llms.txt', listOfPages],
  ['/llms-full.txt', guidesAndReference],
] as const

/** Pages, pictures and a search without scripts under /guide, and the same for models. */
export function serveGuide(server: FastifyInstance, publicUrl: string, library = new Library(FOLDER)): void {
  for (const [path, build] of TEXTS) {
    let text: string | undefined
    server.get(path, async (_request, reply) => {
      text ??= build(library, publicUrl)
      return reply.headers(TEXT_HEADERS).type('text/plain; charset=utf-8').send(text)
    })
  }
  const show = (reply: FastifyReply, name: string, address: string): FastifyReply => {
    const page = library.page(name)
    if (page === null) return sendMissing(reply, library)
    const { title, body } = page
    return reply.headers(GUIDE_HEADERS).send(renderGuidePage({ title, body, chapters: library.chapters(), address }))
  }
  server.get('/guide', async (_request, reply) => show(reply, 'index', '/guide'))
  server.get('/guide/', async (_request, reply) => show(reply, 'index', '/guide'))
  server.get('/guide/search', async (request, reply) => sendHits(request, reply, library))
  server.get<{ Params: { '*': string } }>('/guide/*', async (request, reply) => {
    const name = request.params['*']
    const picture = library.picture(name)
    const source = name.endsWith('.md') ? library.source(name.slice(0, -'.md'.length)) : null
    if (source !== null) return reply.headers(TEXT_HEADERS).type('text/markdown; charset=utf-8').send(source)
    if (picture !== null) return reply.headers(PICTURE_HEADERS).type(picture.type).send(picture.content)
    return show(reply, name, `/guide/${name}`)
  })
}

function sendHits(request: FastifyRequest, reply: FastifyReply, library: Library): FastifyReply {
  const { q } = request.query as { q?: string | string[] }
  const query = String([q ?? ''].flat()[0]).slice(0, QUERY_LIMIT)
  const hits = library.search(query)
  const body = html`<p role="status">${summaryOf(query, hits.length)}</p>
<ul class="hits">${hits.map(hitItem)}</ul>`
  const page = { title: 'Search', body, chapters: library.chapters(), address: '', query }
  return reply.headers({ ...GUIDE_HEADERS, 'Cache-Control': 'no-store' }).send(renderGuidePage(page))
}

function hitItem({ address, page, heading, excerpt }: SearchHit) {
  const title = heading === '' || heading === page ? page : `${page}: ${heading}`
  return html`<li><a href="${address}">${title}</a><p>${excerpt}</p></li>\n`
}

function summaryOf(query: string, count: number): string {
  if (query.trim() === '') return 'Enter one or more words. A section must contain all of them.'
  const found = count === 1 ? '1 section' : `${count} sections`
  return count === 0 ? `No section contains “${query}”. Use fewer or shorter words.` : `${found} for “${query}”.`
}

function sendMissing(reply: FastifyReply, library: Library): FastifyReply {
  const body = html`<p>The guide has no page at this address. Search for a word, or choose a page of the <a
href="/guide">list</a>.</p>`
  return reply
    .code(404)
    .headers({ ...GUIDE_HEADERS, 'Cache-Control': 'no-store' })
    .send(renderGuidePage({ title: 'Page not found', body, chapters: library.chapters(), address: '' }))
}
