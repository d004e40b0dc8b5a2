import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Credential, everyCredential, type Standing, type Worth } from '../../test/credentials.ts'
import type { SampleRequest } from '../../test/requests.ts'
import { empty } from '../../test/rows.ts'
import { UNLIMITED } from '../../test/unlimited.ts'
import { useWorkspace, useWorld } from '../../test/use-world.ts'
import { PUBLIC_URL } from '../../test/world.ts'
import { ERROR_CODES, type ErrorCode } from '../domain/refusal/error-codes.ts'
import { silentLog } from '../kernel/log.ts'
import { sql } from '../store/database.ts'
import { NO_SESSION } from '../surfaces/auth/presented.ts'
import { argumentsOf, callOf, OLDER, sampleIn } from '../surfaces/mcp/calling.suite.ts'
import { createRestServer } from '../surfaces/rest/server.ts'
import { CATALOGUE } from './catalogue.ts'
import type { Operation } from './definition.ts'
import { needsCredential } from './invoke.ts'
import { Streamed, streamed } from './streamed.ts'

/**
 * What came of a request, as far as it depends on who asked. A refusal of `run` itself, after it was let in, is `ran`
 * too.
 */
type Outcome = 'ran' | `${number} ${string}: ${string}`

/** How often an operation was run: the only proof that a request was let in, or was not. */
let runs = 0
const WATCHED: Operation[] = CATALOGUE.map((operation) => ({
  ...operation,
  run: async (context, input) => {
    runs += 1
    const answer = await operation.run(context, input)
    // Who may follow is asked, and nobody waits for the end of what has none.
    return answer instanceof Streamed && operation.streams?.startsWith('text/event-stream')
      ? streamed(nothing())
      : answer
  },
}))

async function* nothing(): AsyncIterable<string> {
  yield ''
}

let server: ReturnType<typeof createRestServer>
let credentials: Credential[]
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  await acme.makeOne('feed')
  credentials = await everyCredential(world, acme)
  server = createRestServer({
    services: world.services,
    log: silentLog,
    limits: UNLIMITED,
    catalogue: WATCHED,
    misfit: 'throw',
  })
})
/**
 * Every request is about things of its own, of which a workspace may have so many. Rules and deliveries share one
 * channel, the oldest.
 */
beforeEach(async () => {
  samples.clear()
  await empty(world, 'alert')
  await world.db.query(sql`
    delete from channel c where not exists (select from delivery d where d.workspace_id = c.workspace_id
      and d.channel_id = c.id)
      and exists (select from channel older where older.workspace_id = c.workspace_id and older.id < c.id)`)
})
afterAll(() => server.close())

describe.each(WATCHED)('$id', (operation) => {
  test('runs over REST for whom its definition says, and for nobody else', async () => {
    const found: Record<string, Outcome> = {}
    for (const { name, headers, rest } of credentials)
      found[name] = await overRest(operation, await requestOf(operation), headers, rest)
    expect(found).toEqual(Object.fromEntries(credentials.map(({ name, rest }) => [name, wanted(operation, rest)])))
  })

  if ('name' in operation.tool) {
    const { name: tool } = operation.tool
    test('runs over the tool server for whom its definition says, and for nobody else', async () => {
      const found: Record<string, Outcome> = {}
      for (const { name, headers, tools } of credentials)
        found[name] = await overTools(operation, tool, await requestOf(operation), headers, tools)
      expect(found).toEqual(Object.fromEntries(credentials.map(({ name, tools }) => [name, wanted(operation, tools)])))
    })
  }
})

test('the list of tools holds what a credential may call, and is refused to a bad one', async () => {
  const reading = WATCHED.filter(({ access }) => access === 'read')
  const namesOf = (operations: readonly Operation[]) =>
    operations.flatMap(({ tool }) => ('name' in tool ? [tool.name] : []))
  for (const { name, headers, tools } of credentials) {
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers)
    const seen = isStanding(tools) && tools.scope === 'read' ? namesOf(reading) : namesOf(WATCHED)
    const expected = tools === 'bad' ? [401] : tools === 'foreign page' ? [403] : [200, ...seen]
    const listed =
      answer.statusCode === 200 ? answer.json<{ result: { tools: { name: string }[] } }>().result.tools : []
    expect([name, answer.statusCode, ...listed.map((tool) => tool.name)]).toEqual([name, ...expected])
  }
})

/**
 * The division of labour between roles, by method and address: a definition that forgot its roles would otherwise be
 * believed. The first line that fits counts; what no line fits is for everybody.
 */
const RESERVED: readonly [what: RegExp, roles: readonly string[], peopleOnly: boolean][] = [
  [/^GET \/v1\/api-keys/, ['admin', 'owner'], false],
  [/^\w+ \/v1\/api-keys/, ['owner'], false],
  // Mentions are given to members, so that everybody has to know who there is.
  [/^GET \/v1\/members$/, [], false],
  [/^GET \/v1\/members\/invitations/, ['admin', 'owner'], false],
  // Whoever belongs to a workspace may leave it, so that removing somebody is judged by what is known of both.
  [/^DELETE \/v1\/members\/\{id\}$/, [], true],
  [/^\w+ \/v1\/members/, ['admin', 'owner'], true],
  // Whether there is money left says whether anything is collected at all.
  [/^GET \/v1\/billing\/wallet$/, [], false],
  [/^\w+ \/v1\/billing/, ['admin', 'owner'], false],
  // Mail to an address that bounced counts against the whole installation.
  [/^DELETE \/v1\/suppressions/, ['admin', 'owner'], false],
  [/^PATCH \/v1\/workspace$/, ['admin', 'owner'], true],
  [/^GET \/v1\/workspace$/, [], false],
  // The whole workspace goes away or out, the security log included.
  [/^\w+ \/v1\/workspace/, ['owner'], true],
  [/^GET \/v1\/audit$/, ['owner'], true],
]

test.each(CATALOGUE)('$id is for the roles that its subject is for', ({ id, method, path, roles, peopleOnly }) => {
  const [, expected, onlyPeople] = RESERVED.find(([what]) => what.test(`${method} ${path}`)) ?? [null, [], false]
  expect({ id, roles: [...roles].sort(), peopleOnly }).toEqual({ id, roles: expected, peopleOnly: onlyPeople })
})

const MISSING = 'Missing or invalid credentials'
const BAD = 'Invalid API key or access token'
const FOREIGN = 'Web pages of this origin may call the tool server only with a credential.'
const NO_FORM_TOKEN = 'A change by session needs the form token of this browser in X-CSRF-Token.'

/** What the definition of an operation says of somebody who asks. */
function wanted(operation: Operation, worth: Worth): Outcome {
  if (!needsCredential(operation)) return 'ran'
  if (worth === 'missing') return `401 unauthorized: ${MISSING}`
  if (worth === 'bad') return `401 unauthorized: ${BAD}`
  if (worth === 'foreign page') return `403 invalid_origin: ${FOREIGN}`
  const isWrite = operation.access === 'write'
  if (worth === 'signed out') return `401 unauthorized: ${NO_SESSION.message}`
  if (worth.withoutFormToken && isWrite) return `401 unauthorized: ${NO_FORM_TOKEN}`
  if (isWrite && worth.scope === 'read')
    return '403 read_only_key: This credential is read-only. Use one with write scope.'
  if (worth.role === null)
    return operation.peopleOnly ? '403 forbidden: An API key may not do this. Sign in as a person.' : 'ran'
  const mayByRole = operation.roles.length === 0 || operation.roles.includes(worth.role)
  const keys = operation.peopleOnly ? '' : `, and for API keys ${isWrite ? 'with write scope' : 'of any scope'}`
  return mayByRole
    ? 'ran'
    : `403 forbidden: This operation is for the ${operation.roles.map((role) => `${role}s`).join(' and ')} of the workspace${keys}.`
}

async function overRest(
  operation: Operation,
  request: SampleRequest,
  headers: Record<string, string>,
  worth: Worth,
): Promise<Outcome> {
  const before = runs
  const { method, path, body } = request
  const answer = await server.inject({
    method: method as 'GET',
    url: path,
    headers: { host: HOST, ...headers },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  const error = answer.statusCode < 400 ? null : answer.json<{ error: { code: string; message: string } }>().error
  if (answer.statusCode === 401) expect(answer.headers['www-authenticate']).toMatch(challengeFor(worth))
  return runs > before ? ran(operation, worth, error?.code) : `${answer.statusCode} ${error?.code}: ${error?.message}`
}

async function overTools(
  operation: Operation,
  tool: string,
  request: SampleRequest,
  headers: Record<string, string>,
  worth: Worth,
): Promise<Outcome> {
  const before = runs
  const answer = await post(callOf(tool, argumentsOf(operation, request)), headers)
  const body = answer.json()
  if (answer.statusCode === 401) {
    expect(answer.headers['www-authenticate']).toMatch(challengeFor(worth))
    expect(answer.headers['www-authenticate']).toMatch(
      operation.access === 'write' ? / scope="read write"$/ : / scope="read"$/,
    )
    return `401 unauthorized: ${body.error}`
  }
  if (answer.statusCode !== 200) return `${answer.statusCode} ${body.error?.code}: ${body.error?.message}`
  const error = body.result.isError ? body.result.structuredContent.error : null
  if (runs > before) return ran(operation, worth, error?.code)
  return `${ERROR_CODES[error?.code as ErrorCode]?.statuses[0]} ${error?.code}: ${error?.message}`
}

/** Nobody is refused for who they are once `run` has begun, unless it judges people itself; owners not even then. */
function ran(operation: Operation, worth: Worth, code: string | undefined): Outcome {
  const late = operation.peopleOnly && isStanding(worth) && worth.role !== 'owner' ? [] : ['forbidden']
  expect(['unauthorized', 'read_only_key', ...late]).not.toContain(code)
  if (operation.access === 'write') samples.delete(operation)
  return 'ran'
}

const samples = new Map<Operation, SampleRequest>()

/** A request that the operation takes: the same until something was changed by it. */
async function requestOf(operation: Operation): Promise<SampleRequest> {
  const sample = samples.get(operation) ?? (await sampleIn(acme, operation))
  samples.set(operation, sample)
  return sample
}

function isStanding(worth: Worth): worth is Standing {
  return typeof worth === 'object'
}

const HOST = new URL(PUBLIC_URL).host

function post(message: object, headers: Record<string, string>) {
  return server.inject({
    method: 'POST',
    url: '/mcp?tools=all',
    headers: { host: HOST, ...OLDER, ...headers },
    payload: message,
  })
}

function challengeFor(worth: Worth): RegExp {
  const where = `Bearer resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp"`
  return worth === 'bad'
    ? new RegExp(`^${where}, error="invalid_token", error_description="${BAD}"`)
    : new RegExp(`^${where}`)
}
