import { mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database-server.ts'
import { sql } from '../../test/database-setup.ts'
import { type Algolia, startAlgolia } from '../../test/stand-ins/algolia.ts'
import { type EarshotProcess, earshot, watchAcme } from '../../test/stand-ins/earshot-process.ts'
import { freePort } from '../../test/stand-ins/free-port.ts'
import { type Jetstream, startJetstream } from '../../test/stand-ins/jetstream.ts'
import { eventually } from '../../test/stand-ins/pipeline.ts'
import { SECRET_KEY } from '../../test/stand-ins/seeded.ts'
import { type LocalReceiver, startLocalReceiver } from '../channels/local-receiver.suite.ts'
import type { ProcessRole } from './role.ts'

let database: TestDatabase
let dataDir: string
let jetstream: Jetstream
let algolia: Algolia
let receiver: LocalReceiver
/** Whether the receiver answers, or lets requests hang. */
let answering: boolean
let started: EarshotProcess[]

beforeEach(async () => {
  database = await createTestDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'earshot-roles-'))
  answering = true
  const answer = (response: ServerResponse) => {
    if (answering) response.end()
  }
  ;[jetstream, algolia, receiver] = await Promise.all([startJetstream(), startAlgolia(), startLocalReceiver(answer)])
  started = []
})

afterEach(async () => {
  for (const process of started) process.signal('SIGKILL')
  await Promise.all(started.map(({ ended }) => ended))
  await Promise.all([jetstream.close(), algolia.close(), receiver.close()])
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

function environment(more: Record<string, string> = {}): Record<string, string> {
  return {
    DATABASE_URL: database.connection,
    EARSHOT_SECRET_KEY: SECRET_KEY,
    DATA_DIR: dataDir,
    EGRESS_ALLOW: '127.0.0.1',
    SOURCE_BLUESKY_URL: jetstream.url,
    SOURCE_HACKERNEWS_URL: algolia.url,
    SOURCE_HACKERNEWS_POLL_SECONDS: '1',
    EARSHOT_LOG_LEVEL: 'warn',
    ...more,
  }
}

interface RoleProcess extends EarshotProcess {
  origin: string
}

async function start(role: ProcessRole, more: Record<string, string> = {}): Promise<RoleProcess> {
  const port = await freePort()
  const process = earshot(['start', '--role', role], environment({ PORT: String(port), ...more }))
  started.push(process)
  await process.says('Earshot is running')
  return { ...process, origin: `http://127.0.0.1:${port}` }
}

/** A key of a workspace that waits for Acme with a webhook. */
async function setUp(origin: string): Promise<string> {
  const key = (
    await earshot(['keys', 'create', '--workspace', 'Acme', '--scope', 'write'], environment()).ended
  ).stdout.trim()
  await watchAcme(origin, key, receiver.url)
  return key
}

const OTHER_KEY = { EARSHOT_SECRET_KEY: '1'.repeat(64) }
const ANOTHER_KEY =
  'EARSHOT_SECRET_KEY: the secrets in this database were sealed with another key. Every process that shares it needs the same one; ' +
  'if the key was changed on purpose, run "npx --no earshot adopt-key" with the new one, then give every webhook a new secret and its own headers again, connect Slack again and make open invitations anew.'

/** What a process with another key says when it fails to start. */
async function refusedWith(role: string): Promise<string> {
  const { code, stderr } = await earshot(
    ['start', '--role', role],
    environment({ PORT: String(await freePort()), ...OTHER_KEY }),
  ).ended
  expect(code).toBe(1)
  return stderr.trim()
}

async function sqlOn(statement: string): Promise<unknown[]> {
  return await sql(database.connection, statement)
}

/** Resolves when a process follows the feed and looks for the keyword. */
async function listening({ origin }: RoleProcess): Promise<void> {
  await eventually(async () => {
    expect(jetstream.listeners).toBe(1)
    expect(await (await fetch(`${origin}/metrics`)).text()).toContain('earshot_keywords_watched 1')
  })
}

/** The texts that were delivered, each as often as it was. */
function delivered(): string[] {
  return receiver.received
    .map(({ body }) => (JSON.parse(body.toString()) as { data: { post: { text: string } } }).data.post.text)
    .sort()
}

describe('several processes on one database', () => {
  test('take a post all the way', async () => {
    const [api, collect, work] = await Promise.all([
      start('api'),
      start('collect', { COLLECT_THREADS: '1' }),
      start('work'),
    ])
    await setUp(api.origin)
    await listening(collect)
    jetstream.post('Acme is here')
    await eventually(() => expect(delivered()).toEqual(['Acme is here']))
    for (const { origin } of [api, collect, work]) {
      expect((await fetch(`${origin}/v1/health`)).status).toBe(200)
      expect(await (await fetch(`${origin}/metrics`)).text()).toContain('earshot_queue_length')
    }
    expect((await fetch(`${collect.origin}/v1/keywords`)).status).toBe(404)
    expect((await fetch(`${work.origin}/v1/openapi.json`)).status).toBe(404)
  }, 60_000)

  test('take over from each other when they are killed, and lose nothing', async () => {
    const first = await Promise.all([start('api'), start('collect'), start('work')])
    await setUp(first[0].origin)
    await listening(first[1])
    jetstream.post('Acme is here')
    await eventually(() => expect(delivered()).toEqual(['Acme is here']))
    // One request is on the wire when its sender dies.
    answering = false
    jetstream.post('Acme in the middle')
    await eventually(() => expect(delivered()).toContain('Acme in the middle'))
    const second = await Promise.all([start('api'), start('collect'), start('work')])
    answering = true
    for (const process of first) process.signal('SIGKILL')
    await Promise.all(first.map(({ ended }) => ended))
    jetstream.post('Acme afterwards')
    algolia.comment('Acme elsewhere')
    const times = (text: string) => delivered().filter((name) => name === text).length
    await eventually(
      () => expect(['Acme in the middle', 'Acme afterwards', 'Acme elsewhere'].map(times)).toEqual([2, 1, 1]),
      { withinMs: 60_000 },
    )
    expect((await fetch(`${second[0].origin}/v1/health`)).status).toBe(200)
  }, 120_000)
})

describe('two processes that serve callers', () => {
  test('hold the limit of a workspace together', async () => {
    const [first, second] = await Promise.all([start('api'), start('api')])
    const key = await setUp(first.origin)
    const ask = async ({ origin }: RoleProcess) =>
      (await fetch(`${origin}/v1/whoami`, { headers: { authorization: `Bearer ${key}` } })).status
    const asked = async () => {
      for (let sent = 0; sent < 100; sent += 1) if ((await ask(first)) === 429) return
    }
    await Promise.all([1, 2, 3, 4, 5, 6].map(asked))
    expect(await ask(first)).toBe(429)
    let tries = 0
    await eventually(async () => {
      tries += 1
      expect(await ask(second)).toBe(429)
    })
    // Counting alone, the second process grants 600.
    expect(tries).toBeLessThan(600)
    expect(await (await fetch(`${second.origin}/metrics`)).text()).toContain('earshot_limit_peers 1')
  }, 60_000)
})

describe('a role that lacks what it shares', () => {
  test('is refused, and told what to set', async () => {
    const settings = environment({ PORT: String(await freePort()), DATABASE_URL: '', EARSHOT_SECRET_KEY: '' })
    const { code, stdout, stderr } = await earshot(['start', '--role', 'work'], settings).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr.trim().split('\n')).toEqual([
      'DATABASE_URL: must be set for --role work; the built-in database belongs to one process. Start without --role, or share a PostgreSQL.',
      'EARSHOT_SECRET_KEY: must be set for --role work, to the same key for every process; secrets of channels, links of invitations and waiting mails are sealed with it.',
    ])
  })

  test.each(['api', 'work', 'collect', 'all'])(
    'is refused as %s when the first process had another key, although there is no secret yet',
    async (role) => {
      await start('api')
      expect(await refusedWith(role)).toBe(ANOTHER_KEY)
    },
    60_000,
  )

  test('is refused when no secret of a database from before the check was sealed with its key', async () => {
    await setUp((await start('api')).origin)
    await sqlOn('delete from key_check')
    expect(await refusedWith('work')).toBe(ANOTHER_KEY)
    expect(await sqlOn('select 1 from key_check')).toEqual([])
  }, 60_000)

  test('starts once its key was adopted', async () => {
    await start('api')
    const { code } = await earshot(['adopt-key'], environment(OTHER_KEY)).ended
    expect(code).toBe(0)
    await start('api', OTHER_KEY)
  }, 60_000)

  test('is not known by another name', async () => {
    const { code, stderr } = await earshot(['start', '--role', 'everything'], environment()).ended
    expect(code).toBe(2)
    expect(stderr).toMatch(/must be one of all, api, collect, work/)
  })
})
