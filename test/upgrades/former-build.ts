import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PLATFORMS } from '../../src/domain/platform/platforms.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { freePort } from '../stand-ins/free-port.ts'
import { readDumps } from './dump.ts'

/**
 * A rolling restart: the build that wrote the newest kept dump serves, the present build migrates its database under
 * it, and the former one must go on. Then the present one starts and reads what was written meanwhile.
 *
 * Run as `npx tsx test/upgrades/former-build.ts`. Without that commit in the clone nothing can be tried, which is said.
 */
const PROJECT = join(import.meta.dirname, '../..')
const STARTS_WITHIN_MS = 120_000
const run = promisify(execFile)
const git = (...args: string[]) => run('git', args, { cwd: PROJECT })

type Environment = Record<string, string>

async function main(): Promise<void> {
  const { commit } = readDumps().at(-1)!
  const isThere = await git('cat-file', '-e', `${commit}^{commit}`).then(
    () => true,
    () => false,
  )
  if (!isThere) return say(`former build: skipped, because this clone does not hold ${commit}`)
  const place = await mkdtemp(join(tmpdir(), 'earshot-former-'))
  const former = join(place, 'sources')
  try {
    await git('worktree', 'add', '--detach', former, commit)
    await symlink(join(PROJECT, 'node_modules'), join(former, 'node_modules'))
    await restart(former, join(place, 'data'))
    say(`former build: ${commit.slice(0, 8)} went on beside the present schema`)
  } finally {
    await rm(place, { recursive: true, force: true })
    await git('worktree', 'prune')
  }
}

async function restart(former: string, dataDir: string): Promise<void> {
  const port = String(await freePort())
  const origin = `http://127.0.0.1:${port}`
  const settings = {
    DATA_DIR: dataDir,
    PORT: port,
    PUBLIC_URL: origin,
    SOURCES_OFF: PLATFORMS.join(','),
    EARSHOT_LOG_LEVEL: 'warn',
  }
  let service = await serve(former, settings)
  try {
    const { stdout } = await earshot(former, settings, 'keys', 'create', '--workspace', 'Acme', '--scope', 'write')
    const api = callerOf(origin, stdout.trim())
    const before = await use(api, 'before')
    await earshot(PROJECT, settings, 'migrate')
    const meanwhile = await use(api, 'meanwhile')
    await service.stop()
    service = await serve(PROJECT, settings)
    await use(api, 'after')
    for (const path of [...before, ...meanwhile]) await api('GET', path)
  } finally {
    await service.stop()
  }
}

type Api = (method: string, path: string, body?: object) => Promise<{ id: string }>

/** Writes and reads a thing of each kind that needs nothing outside; returns their addresses. */
async function use(api: Api, when: string): Promise<string[]> {
  const group = await api('POST', '/v1/groups', { name: `Group ${when}` })
  const keyword = await api('POST', '/v1/keywords', { term: `term ${when}`, groupId: group.id })
  const channel = await api('POST', '/v1/channels', { kind: 'webhook', url: 'https://receiver.example/', label: when })
  const rule = { name: `Rule ${when}`, mode: 'instant', event: 'mention.matched', filter: {}, channelIds: [channel.id] }
  const alert = await api('POST', '/v1/alerts', rule)
  const view = await api('POST', '/v1/views', { name: `View ${when}`, filter: {} })
  await api('PATCH', `/v1/keywords/${keyword.id}`, { muted: true })
  for (const path of ['mentions', 'keywords', 'people', 'sources', 'attention', 'deliveries', 'billing/ledger'])
    await api('GET', `/v1/${path}`)
  return [
    `/v1/groups/${group.id}`,
    `/v1/keywords/${keyword.id}`,
    `/v1/channels/${channel.id}`,
    `/v1/alerts/${alert.id}`,
    `/v1/views/${view.id}`,
  ]
}

function callerOf(origin: string, key: string): Api {
  return async (method, path, body) => {
    const reply = await fetch(origin + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path} was answered ${reply.status} ${text}`)
    return JSON.parse(text) as { id: string }
  }
}

function commandIn(sources: string, args: readonly string[]): [string, string[]] {
  return [join(sources, 'node_modules/.bin/tsx'), [join(sources, 'src/main/cli.ts'), ...args]]
}

function earshot(sources: string, settings: Environment, ...args: string[]) {
  return run(...commandIn(sources, args), { cwd: sources, env: { ...process.env, ...settings } })
}

/** Resolves when the service answers. */
async function serve(sources: string, settings: Environment): Promise<{ stop(): Promise<unknown> }> {
  const child = spawn(...commandIn(sources, ['start']), {
    cwd: sources,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const until = systemClock.now().getTime() + STARTS_WITHIN_MS
  while (!(await isUp(settings['PUBLIC_URL']!))) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    if (systemClock.now().getTime() > until) {
      child.kill('SIGKILL')
      throw new Error('the service did not start')
    }
    await systemClock.wait(200)
  }
  return {
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function isUp(origin: string): Promise<boolean> {
  const reply = await fetch(`${origin}/v1/health`).catch(() => null)
  return reply?.ok === true
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

await main()
