import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { marked } from 'marked'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PLATFORMS } from '../../src/domain/platform/platforms.ts'
import { type EarshotProcess, installedEarshot, temporaryDataDir } from '../stand-ins/earshot-process.ts'
import { freePort } from '../stand-ins/free-port.ts'
import { type Jetstream, startJetstream } from '../stand-ins/jetstream.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
/** How long a block may take until it prints what the page promises. */
const PRINT_MS = 40_000
const folder = temporaryDataDir()
const scratch = mkdtempSync(join(tmpdir(), 'earshot-docs-'))
const scripts: ChildProcess[] = []

let jetstream: Jetstream
let port: number
let receiverPort: number
let service: EarshotProcess

/** The shell blocks of a page that have one of these marks: `sh` alone is run as it stands. */
function blocksOf(page: string, mark = 'sh'): string[] {
  return marked
    .lexer(readFileSync(join(PROJECT, 'docs', page), 'utf8'))
    .flatMap((token) => (token.type === 'code' && token.lang === mark ? [token.text as string] : []))
}

/** Ports are those of an ordinary start and files are written to the project folder; the test has its own. */
function withOurPorts(block: string): string {
  return block
    .replaceAll('localhost:4400', `localhost:${port}`)
    .replaceAll('127.0.0.1:4900', `127.0.0.1:${receiverPort}`)
    .replaceAll('examples/webhook-receiver.mjs', join(scratch, 'receiver.mjs'))
    .replaceAll('> mentions.csv', `> ${join(scratch, 'mentions.csv')}`)
    .replaceAll(/\b(earshot|with-key)\.backup/g, (name) => join(scratch, name))
    .replaceAll('new-data', join(scratch, 'new-data'))
    .replaceAll(' data/secret.key', ` ${join(folder.dataDir, 'secret.key')}`)
}

function environment(): Record<string, string> {
  return {
    DATA_DIR: folder.dataDir,
    PORT: String(port),
    EARSHOT_HOST: '127.0.0.1',
    SOURCE_BLUESKY_URL: jetstream.url,
    SOURCES_OFF: PLATFORMS.filter((platform) => platform !== 'bluesky').join(','),
    EARSHOT_LOG_LEVEL: 'fatal',
  }
}

interface Script {
  /** Resolves when the output holds a text; rejects when the script ends before. */
  prints(text: string | RegExp): Promise<void>
  /** Resolves with all output when the last block has run. */
  ended: Promise<string>
}

/** Runs blocks one after the other in one shell, in the project folder, as a reader would. */
function run(blocks: readonly string[]): Script {
  const file = join(scratch, `${scripts.length}.sh`)
  // A reader sees that the receiver waits before going on.
  const listens = `until (echo > /dev/tcp/127.0.0.1/${receiverPort}) 2> /dev/null; do sleep 0.05; done`
  const lines = blocks.map(
    (block, at) => `${withOurPorts(block)}\n${block.endsWith('&') ? listens : ''}\necho "== block ${at + 1} done"`,
  )
  writeFileSync(file, `set -euo pipefail\n${lines.join('\n')}\n`)
  const own = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', npm_config_offline: 'true' }
  const child = spawn('bash', [file], {
    cwd: PROJECT,
    env: { ...own, ...environment() },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  scripts.push(child)
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
      for (const listener of listeners) listener()
    })
  const exit = once(child, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`a block ended with ${code}:\n${output}`)
    return output
  })
  exit.catch(() => undefined)
  return {
    ended: exit,
    prints: (text) =>
      new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error(`nothing printed ${text}:\n${output}`)), PRINT_MS).unref()
        const look = () => {
          if (typeof text === 'string' ? output.includes(text) : text.test(output)) resolve()
        }
        listeners.add(look)
        exit.catch(reject)
        look()
      }),
  }
}

beforeAll(async () => {
  jetstream = await startJetstream()
  ;[port, receiverPort] = [await freePort(), await freePort()]
  const receiver = readFileSync(join(PROJECT, 'examples/webhook-receiver.mjs'), 'utf8')
  writeFileSync(join(scratch, 'receiver.mjs'), receiver.replace('PORT = 4900', `PORT = ${receiverPort}`))
  const [start = ''] = blocksOf('get-started.md', 'sh service')
  expect(start).toBe('EGRESS_ALLOW=127.0.0.1 npm start')
  service = installedEarshot(['start'], { ...environment(), EGRESS_ALLOW: '127.0.0.1' })
  await service.says('Earshot is running')
}, 180_000)

afterAll(async () => {
  for (const { pid } of scripts)
    try {
      process.kill(-pid!, 'SIGKILL')
    } catch {
      // The shell and everything that it started have ended.
    }
  service?.signal('SIGTERM')
  await service?.ended
  await jetstream?.close()
  await folder.remove()
  rmSync(scratch, { recursive: true, force: true })
})

test('get started leads to the first signed delivery', async () => {
  const blocks = blocksOf('get-started.md')
  const script = run(blocks)
  await script.prints(/^test dlv_\w+ /m)
  await script.prints(`== block ${blocks.length} done`)
  jetstream.post('Which coffee do you recommend? I really love the coffee of this roaster, great taste.')
  await script.prints(/^mention\.\w+ dlv_\w+ .*coffee/m)
}, 120_000)

/** The blocks of get started that every guide relies on: the key and the two functions. */
const prelude = () => blocksOf('get-started.md').slice(0, 1)

test.each(readdirSync(join(PROJECT, 'docs/guides')).filter((name) => blocksOf(`guides/${name}`).length > 0))(
  'the commands of %s run as they stand',
  async (name) => {
    await run([...prelude(), ...blocksOf(`guides/${name}`)]).ended
  },
)
