import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Credential, everyCredential, type Worth } from '../../../test/credentials.ts'
import { UNLIMITED } from '../../../test/unlimited.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { PUBLIC_URL } from '../../../test/world.ts'
import { silentLog } from '../../kernel/log.ts'
import { createRestServer } from '../rest/server.ts'
import { COMPAT_CATALOGUE } from './catalogue.ts'
import type { CompatOperation } from './define.ts'
import { sampleOf } from './generated.suite.ts'

let runs = 0
const WATCHED: CompatOperation[] = COMPAT_CATALOGUE.map((operation) => ({
  ...operation,
  run: async (context, input) => {
    runs += 1
    return await operation.run(context, input)
  },
}))

let server: ReturnType<typeof createRestServer>
let credentials: Credential[]
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  credentials = await everyCredential(world, acme)
  server = createRestServer({
    services: world.services,
    log: silentLog,
    limits: UNLIMITED,
    compatCatalogue: WATCHED,
    misfit: 'throw',
  })
})
afterAll(() => server.close())

/** What becomes of somebody who asks; a browser's session is no credential here. */
function wanted({ access, scope, roles, refusal }: CompatOperation, worth: Worth): string {
  if (worth === 'bad') return '401 UNAUTHORIZED'
  if (typeof worth === 'string') return '401 UNAUTHORIZED'
  if (access === 'write' && worth.scope === 'read') return '403 FORBIDDEN'
  if (worth.role !== null && roles.length > 0 && !roles.includes(worth.role)) return '403 FORBIDDEN'
  return scope === 'admin' || refusal !== null ? '403 FORBIDDEN' : 'ran'
}

describe.each(WATCHED)('$id', (operation) => {
  test('runs for whom its definition says, and for nobody else', async () => {
    const found: Record<string, string> = {}
    for (const { name, headers } of credentials) {
      const { method, path, body } = await sampleOf(operation)
      const before = runs
      const answer = await server.inject({
        method: method as 'GET',
        url: path,
        headers: { host: new URL(PUBLIC_URL).host, ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      if (answer.statusCode === 401) expect(answer.headers['www-authenticate']).toContain('resource_metadata')
      found[name] = runs > before ? 'ran' : `${answer.statusCode} ${answer.json().error.code}`
    }
    const bearers = credentials.map(({ name, headers, rest }) => [
      name,
      'authorization' in headers ? wanted(operation, rest) : '401 UNAUTHORIZED',
    ])
    expect(found).toEqual(Object.fromEntries(bearers))
  })
})

test('reads need the scope read and everything else write, whatever their method', () => {
  const readsByPost = COMPAT_CATALOGUE.filter(({ method, access }) => method !== 'GET' && access === 'read').map(
    ({ id }) => id,
  )
  expect(readsByPost).toEqual([
    'compat-list-mentions',
    'compat-export-mentions',
    'compat-off-post-keywords-estimate',
    'compat-off-post-search',
    'compat-off-post-ai-filter-wizard',
    'compat-off-post-ai-filter-recommendations',
  ])
})
