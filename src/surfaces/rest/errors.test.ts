import { describe, expect, test } from 'vitest'
import { openRaw } from '../../../test/raw.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { CATALOGUE } from '../../operations/catalogue.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

describe('a validation error', () => {
  test('names every field that is wrong, and the first in its message', async () => {
    const { status, body } = await acme.api('POST', '/v1/keywords', {
      kind: 'brands',
      cap: { mentions: 0 },
      matching: { excludedTerms: [''], more: 1 },
      colour: 'red',
    })
    expect([status, body.error.code, body.error.message]).toEqual([400, 'validation_error', 'term: is required'])
    expect(body.error.details.map(({ field }: { field: string }) => field)).toEqual([
      'term',
      'kind',
      'matching.excludedTerms.0',
      'cap.mentions',
      'matching.more',
      'colour',
    ])
    expect(body.error.details[1]).toEqual({ field: 'kind', reason: 'must be one of brand, competitor, topic' })
  })

  test('names the parameters that are wrong, and a rule of the product by its field too', async () => {
    const { body } = await acme.api('GET', '/v1/mentions?minRelevance=200&sentiment=angry&colour=red')
    expect(body.error.details.map(({ field }: { field: string }) => field)).toEqual([
      'minRelevance',
      'sentiment',
      'colour',
    ])
    const past = await acme.api('POST', '/v1/keywords', { term: 'x'.repeat(3), platforms: [] })
    expect(past.body.error.details).toEqual([
      { field: 'platforms', reason: expect.stringContaining('needs reviewSources') },
    ])
  })

  test('names at most fifty of the fields that do not exist', async () => {
    const { body } = await acme.api(
      'POST',
      '/v1/groups',
      Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`f${at}`, 1])),
    )
    expect(body.error.details).toHaveLength(50)
    expect(body.error.message).toBe('name: is required')
  })

  test.each([
    'q=a&q=b',
    'since=2026-01-01&since=2026-01-02',
    'relevant=true&relevant=false',
    'minRelevance=1&minRelevance=2',
    'cursor=a&cursor=b',
    'anyOf=[]&anyOf=[]',
  ])('says that a parameter is given twice: %s', async (query) => {
    const { body } = await acme.api('GET', `/v1/mentions?${query}`)
    expect(body.error.message).toBe(`${query.split('=')[0]}: is given twice, and takes one value`)
  })

  test('lets lists be given twice', async () => {
    expect((await acme.api('GET', '/v1/mentions?platforms=x&platforms=reddit')).status).toBe(200)
  })
})

describe('a known path with another method', () => {
  test.each([
    ['PUT', '/v1/keywords', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/v1/groups/grp_1?q=1', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['DELETE', '/v1/whoami', 'GET, HEAD, OPTIONS'],
    ['GET', '/v1/search', 'OPTIONS, POST'],
    ['HEAD', '/v1/search', 'OPTIONS, POST'],
    ['PATCH', '/sign-in', 'GET, HEAD, POST'],
  ])('%s %s is refused with the methods that it takes', async (method, path, allow) => {
    const reply = await fetch(`http://127.0.0.1:${world.port}${path}`, { method })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, allow])
    if (method !== 'HEAD')
      expect(await reply.json()).toMatchObject({
        error: { code: 'method_not_allowed', message: `This path takes ${allow}.` },
      })
  })

  test('is asked for its methods with OPTIONS', async () => {
    const reply = await fetch(`http://127.0.0.1:${world.port}/v1/keywords`, { method: 'OPTIONS' })
    expect([reply.status, reply.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, POST'])
  })

  test.each(['/v1/nothing', '/v1/keywords/', '/v1', '/metrics'])('%s is no path', async (path) => {
    expect((await fetch(`http://127.0.0.1:${world.port}${path}`, { method: 'PUT' })).status).toBe(404)
  })
})

describe('a duplicate', () => {
  test('names what exists', async () => {
    const group = await acme.api('POST', '/v1/groups', { name: 'Twice', externalId: 'ext' })
    const keyword = await acme.api('POST', '/v1/keywords', { term: 'twice' })
    const view = await acme.api('POST', '/v1/views', { name: 'Twice' })
    const segment = await acme.api('POST', '/v1/segments', { name: 'Twice' })
    const other = await acme.api('POST', '/v1/views', { name: 'Other' })
    const tried = [
      ['POST', '/v1/groups', { name: 'TWICE' }, 'duplicate_group', group],
      ['POST', '/v1/groups', { name: 'New', externalId: 'ext' }, 'duplicate_group', group],
      ['POST', '/v1/keywords', { term: 'Twice' }, 'duplicate_keyword', keyword],
      ['POST', '/v1/views', { name: 'twice' }, 'duplicate_view', view],
      ['PATCH', `/v1/views/${other.body.id}`, { name: 'twice' }, 'duplicate_view', view],
      ['POST', '/v1/segments', { name: 'twice' }, 'duplicate_segment', segment],
    ] as const
    for (const [method, path, body, code, existing] of tried) {
      const answer = await acme.api(method, path, body)
      expect([answer.status, answer.body.error.code, answer.body.error.existingId], path).toEqual([
        409,
        code,
        existing.body.id,
      ])
    }
  })
})

describe('on the wire', () => {
  test('the head of an export claims no length, and an export of a table its characters', async () => {
    for (const path of ['/v1/mentions/export.csv', '/v1/people/export.csv', '/v1/mentions/export.json']) {
      const connection = await openRaw(world.port)
      connection.write(
        `HEAD ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${acme.readKey}\r\n\r\n`,
      )
      let head = ''
      connection.socket.on('data', (chunk: Buffer) => {
        head += chunk.toString()
      })
      await connection.closed
      expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
      expect(head.toLowerCase()).not.toContain('content-length')
      expect(head.toLowerCase()).toContain(
        path.endsWith('csv') ? 'content-type: text/csv; charset=utf-8' : 'content-type: application/json',
      )
      connection.destroy()
    }
  })

  test('pages may read every header that is defined', async () => {
    const { headers } = await acme.api('GET', '/v1/whoami')
    const exposed = headers.get('access-control-expose-headers')!.split(', ')
    const declared = CATALOGUE.flatMap((operation) => Object.keys(operation.headers))
    expect(exposed).toEqual(
      expect.arrayContaining([...declared, 'X-People-Truncated', 'X-RateLimit-Reset', 'Retry-After', 'Allow']),
    )
    expect(exposed).toEqual([...new Set(exposed)])
    const known =
      /^(access-control-.*|cache-control|connection|content-.*|cross-origin-.*|date|keep-alive|referrer-policy|strict-.*|transfer-encoding|vary|x-content-.*|x-frame-.*)$/
    expect(
      [...headers.keys()].filter(
        (name) => !known.test(name) && !exposed.map((text) => text.toLowerCase()).includes(name),
      ),
    ).toEqual([])
  })
})
