import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { runStep } from './progress.mjs'
import { PROJECT, SCRATCH, SetupError } from './project.mjs'

const DIST = join(PROJECT, 'dist')
const STAMP = join(DIST, '.stamp.json')
const SETTINGS = [
  'tsconfig.json',
  'scripts/server/build.mjs',
  'scripts/server/licences.mjs',
  'scripts/web/build.mjs',
  'package-lock.json',
]

/** Whether `dist` was built from the sources as they are now. */
export function isBuilt() {
  const stamp = readStamp()
  if (!stamp || !['main/cli.js', 'web/index.html'].every((path) => existsSync(join(DIST, path)))) return false
  const files = sourceFiles()
  if (stamp.times === timesOf(files)) return true
  // Copies and checkouts change times without changing texts.
  if (stamp.texts !== textsOf(files)) return false
  rememberTimes(stamp, files)
  return true
}

/**
 * Builds `dist`. The bundler only translates here: types are checked by `npm run typecheck`, and someone who wants to
 * run the service should not wait for that. The result is made elsewhere and moved into place when it is whole.
 */
export async function build() {
  const files = sourceFiles()
  const stamp = { times: timesOf(files), texts: textsOf(files) }
  const fresh = join(SCRATCH, `build-${process.pid}`)
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  await Promise.all([buildServer(fresh), buildDashboard(join(fresh, 'web'))])
  writeFileSync(join(fresh, '.stamp.json'), JSON.stringify(stamp))
  moveIntoPlace(fresh)
}

async function buildServer(folder) {
  await buildPart('Building', [join('scripts', 'server', 'build.mjs'), folder], 'sources')
}

async function buildDashboard(folder) {
  await buildPart(null, [join('scripts', 'web', 'build.mjs'), folder], 'pages of the dashboard')
}

async function buildPart(title, [program, ...args], what) {
  const { code, output } = await runStep(title, process.execPath, [join(PROJECT, program), ...args])
  if (code !== 0) throw new SetupError(`${output}\nThe ${what} could not be built.`)
}

/** Two renames: a process that looks in between finds nothing built, waits for our lock, and looks again. */
function moveIntoPlace(fresh) {
  const old = join(SCRATCH, `old-${process.pid}`)
  if (existsSync(DIST)) renameSync(DIST, old)
  renameSync(fresh, DIST)
  rmSync(old, { recursive: true, force: true })
  const leftovers = readdirSync(SCRATCH).filter((name) => /^(build|old)-\d+$/.test(name))
  for (const name of leftovers) rmSync(join(SCRATCH, name), { recursive: true, force: true })
}

/** Everything that `dist` is made from, in a fixed order. Word lists and migrations are read where they lie. */
function sourceFiles() {
  const files = [...filesIn('src').filter((path) => path.endsWith('.ts')), ...filesIn('web')].filter(
    (path) => !/\.(test|suite)\.tsx?$|\.d\.ts$|\.md$/.test(path),
  )
  return [...files.sort(), ...SETTINGS.map((name) => join(PROJECT, name))]
}

function filesIn(folder) {
  return readdirSync(join(PROJECT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

function timesOf(files) {
  const hash = createHash('sha1')
  for (const path of files) {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${relative(PROJECT, path)} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

function textsOf(files) {
  const hash = createHash('sha256')
  for (const path of files)
    hash
      .update(`${relative(PROJECT, path)}\n`)
      .update(readFileSync(path))
      .update('\n')
  return hash.digest('hex')
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return null
    throw error
  }
}

function rememberTimes(stamp, files) {
  try {
    writeFileSync(STAMP, JSON.stringify({ ...stamp, times: timesOf(files) }))
  } catch (error) {
    // Only costs the next start some milliseconds more.
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error
  }
}
