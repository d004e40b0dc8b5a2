import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request as ask, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, run, start, tailOf, until } from './processes.mjs'

const PLATFORMS =
  'bluesky,hackernews,github,stackoverflow,devto,reddit,x,youtube,news,linkedin,tiktok,instagram,feeds,mastodon,discourse,appstore,googleplay,trustpilot,googlemaps'

/**
 * The longest that the service may run here, in milliseconds: the step as a whole is bounded more tightly from outside.
 */
const SERVICE_LIMIT_MS = 420_000
/** Within how many milliseconds it must run, which may have to build it first. */
const START_LIMIT_MS = 90_000

/**
 * Starts the built service on a database of its own with no platform to ask, as an installation on this machine would
 * run. Answers its address, a way to make keys, and how to end it and remove everything. Ends it before when
 * `interrupted` rejects.
 */
export async function startService(project, interrupted) {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-referees-'))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const environment = {
    HOME: dataDir,
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: origin,
    SOURCES_OFF: PLATFORMS,
    EARSHOT_LOG_LEVEL: 'warn',
  }
  const command = (args, options) => [
    process.execPath,
    [join('bin', 'earshot.mjs'), ...args],
    { cwd: project, environment, ...options },
  ]
  const service = start(...command(['start'], { limitMs: SERVICE_LIMIT_MS }))
  const tooLate = setTimeout(() => void service.stop(), START_LIMIT_MS)
  const close = async () => {
    await service.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await Promise.race([until(() => service.output.includes('Earshot is running'), service, 'it ran'), interrupted])
  } catch (error) {
    await close()
    throw error
  } finally {
    clearTimeout(tooLate)
  }
  return {
    origin,
    port,
    close,
    /** The last lines that it wrote. */
    said: () => tailOf(service),
    /** A key with write scope for the workspace of this name, which is made when it is not there. */
    async createKey(workspace) {
      const made = await run(
        ...command(['keys', 'create', '--workspace', workspace, '--scope', 'write'], { limitMs: 30_000 }),
      )
      const key = made.output.match(/ref_[\w-]{43}/)?.[0]
      if (key === undefined) throw new Error(`no key was made: ${tailOf(made)}`)
      return key
    },
    /** The link by which the person of this address becomes an owner of the workspace of this name. */
    async invite(workspace, email) {
      const made = await run(...command(['invite', workspace, email, '--role', 'owner'], { limitMs: 30_000 }))
      const link = made.output.match(/http\S+\/invitations\/\S+/)?.[0]
      if (link === undefined) throw new Error(`nobody was invited: ${tailOf(made)}`)
      return link
    },
  }
}

/**
 * A door to the service that adds the key to every request, for a referee that cannot send one. Nothing else is
 * changed, but that its own address stands for the service's.
 */
export async function openKeyedDoor(service, key) {
  const server = createServer((asked, answered) => {
    const { port } = server.address()
    const host = asked.headers.host?.replace(new RegExp(`^(localhost|127\\.0\\.0\\.1):${port}$`), `$1:${service.port}`)
    const headers = { ...asked.headers, host, authorization: `Bearer ${key}` }
    const onward = ask(
      { host: '127.0.0.1', port: service.port, method: asked.method, path: asked.url, headers },
      (reply) => {
        answered.writeHead(reply.statusCode, reply.headers)
        reply.pipe(answered)
      },
    )
    onward.on('error', () => answered.destroy())
    answered.on('close', () => onward.destroy())
    asked.pipe(onward)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://localhost:${server.address().port}/mcp`, close: () => server.close().closeAllConnections() }
}
