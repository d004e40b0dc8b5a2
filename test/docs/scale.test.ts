import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { marked } from 'marked'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../database-server.ts'
import { type EarshotProcess, earshot } from '../stand-ins/earshot-process.ts'
import { freePort } from '../stand-ins/free-port.ts'
import { type Jetstream, startJetstream } from '../stand-ins/jetstream.ts'
import { type NatsServer, NO_NATS, startNats } from '../stand-ins/nats-server.ts'
import { SECRET_KEY } from '../stand-ins/seeded.ts'

/** A line of the page: settings, then the command. */
const COMMAND = /^((?:[A-Z_]+=\S+ )+)npx --no earshot (.+)$/

const AS_WRITTEN = ['STORE_PARTITIONS', 'CELLS_SECRET', 'PUBLIC_URL']

const databases = new Map<string, TestDatabase>()
const ports = new Map<string, number>()
const started: EarshotProcess[] = []
let folder: string
let nats: NatsServer
let jetstream: Jetstream

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-scale-'))
})

afterEach(async () => {
  for (const process of started) process.signal('SIGKILL')
  await Promise.all(started.map(({ ended }) => ended))
  await Promise.all([...databases.values()].map((database) => database.drop()))
  await Promise.all([nats?.close(), jetstream?.close()])
  rmSync(folder, { recursive: true, force: true })
})

describe.skipIf(NO_NATS)('the page on growing (skipped without nats-server)', () => {
  test('has commands that work one after the other', async () => {
    ;[nats, jetstream] = await Promise.all([startNats(), startJetstream()])
    const lines = linesOf('docs/scale.md')
    expect(lines.length).toBeGreaterThan(6)
    for (const line of lines) await run(line)
    for (const process of started) process.signal('SIGTERM')
    const endings = await Promise.all(started.map(({ ended }) => ended))
    expect(endings.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(started.map(() => ''))
  }, 180_000)
})

function linesOf(page: string): string[] {
  return marked
    .lexer(readFileSync(page, 'utf8'))
    .flatMap((token) => (token.type === 'code' ? [token.text as string] : []))
    .join('\n')
    .split('\n')
}

/** A process goes on when it says that it runs; another command has to end well. */
async function run(line: string): Promise<void> {
  const [, settings, command] = line.match(COMMAND) ?? []
  if (settings === undefined) throw new Error(`not a command with its settings: ${line}`)
  const given = Object.fromEntries(
    settings
      .trim()
      .split(' ')
      .map((setting) => setting.split(/=(.*)/s)),
  )
  const process = earshot(command!.split(' '), { ...surroundings(), ...(await ours(given)) })
  if (command!.startsWith('start')) {
    started.push(process)
    return await process.says(command!.endsWith('door') ? 'The door is open' : 'Earshot is running')
  }
  const { code, stdout } = await process.ended
  expect(code, stdout).toBe(0)
}

function surroundings(): Record<string, string> {
  return {
    EARSHOT_SECRET_KEY: SECRET_KEY,
    DATA_DIR: folder,
    EGRESS_ALLOW: '127.0.0.1',
    SOURCE_BLUESKY_URL: jetstream.url,
    EARSHOT_LOG_LEVEL: 'error',
  }
}

/** The page's servers are ours: a database of its own for each host, and free ports. */
async function ours(given: Record<string, string>): Promise<Record<string, string>> {
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) values[name] = await ourValue(name, value)
  return values
}

async function ourValue(name: string, value: string): Promise<string> {
  if (name === 'DATABASE_URL') {
    const host = new URL(value).host
    if (!databases.has(host)) databases.set(host, await createTestDatabase())
    return databases.get(host)!.connection
  }
  if (name === 'PORT') {
    if (!ports.has(value)) ports.set(value, await freePort())
    return String(ports.get(value))
  }
  if (name === 'POST_STREAM_URL') return nats.url
  if (name === 'CELLS') return value.replace(/\d{4}/g, (port) => String(ports.get(port)))
  if (AS_WRITTEN.includes(name)) return value
  throw new Error(`${name} is not known to this test`)
}
