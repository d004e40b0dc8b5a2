import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../src/kernel/clock.ts'

/** An index in the form of the one that searches Hacker News. */
export interface Algolia {
  /** For SOURCE_HACKERNEWS_URL. */
  url: string
  /** Adds a comment and answers its id. */
  comment(text: string): string
  close(): Promise<void>
}

export async function startAlgolia(): Promise<Algolia> {
  const hits: {
    objectID: string
    created_at_i: number
    author: string
    comment_text: string
    _tags: string[]
    parent_id: number
    story_id: number
  }[] = []
  const server = createServer((request, reply) => {
    const query = new URL(request.url ?? '', 'http://stand.in').searchParams
    const [, from, , to] =
      (query.get('numericFilters') ?? '').match(/^created_at_i>(\d+)(,created_at_i<=(\d+))?$/) ?? []
    const perPage = Number(query.get('hitsPerPage'))
    const page = Number(query.get('page'))
    const found = hits
      .filter((hit) => hit.created_at_i > Number(from) && hit.created_at_i <= Number(to ?? Number.POSITIVE_INFINITY))
      .reverse()
    const body = {
      hits: found.slice(page * perPage, (page + 1) * perPage),
      nbHits: found.length,
      nbPages: Math.ceil(found.length / perPage),
      page,
    }
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    comment(text) {
      const objectID = String(41_000_000 + hits.length)
      hits.push({
        objectID,
        created_at_i: Math.floor(systemClock.now().getTime() / 1000),
        author: 'standin',
        comment_text: text,
        _tags: ['comment'],
        parent_id: 1,
        story_id: 1,
      })
      return objectID
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
