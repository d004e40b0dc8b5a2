import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { runStep } from '../setup/progress.mjs'
import { PROJECT, SetupError } from '../setup/project.mjs'
import { writeApiTypes } from '../web/api-types.mjs'
import { BY_SYSTEM, READ_AT_RUN_TIME } from './shipped.mjs'

/** Nobody needs these of a package to run it. */
const NOT_RUN = /\.(d\.[cm]?ts|ts|tsx|map|md|markdown|flow)$/i
/** Licences ask to be passed on with the code. */
const LICENCE = /(^|\/)(licen[cs]e|notice|copying|copyright)[^/]*$/i

/** Makes a folder that `npm pack` turns into the package: built, with what the bundle does not hold. */
export async function stagePackage(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const path of ['bin', 'docs', 'examples', 'README.md', 'scripts/setup', 'models/offline-1.bin'])
    copy(path, folder)
  copy('dist', folder, (path) => !path.includes('.stamp'))
  copy('src', folder, (path) => !/\.(ts|md)$|(^|\/)recorded(\/|$)/.test(path))
  await writeClientTypes(folder)
  copyPackages(folder)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
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

/** Copies the packages whose files are read at run time. */
function copyPackages(folder) {
  for (const name of READ_AT_RUN_TIME) {
    const root = join(PROJECT, 'node_modules', name)
    cpSync(root, join(folder, 'node_modules', name), {
      recursive: true,
      filter: (source) => {
        const within = relative(root, source).split(sep).join('/')
        return LICENCE.test(within) || !(within === 'node_modules' || NOT_RUN.test(within))
      },
    })
  }
}

function manifest() {
  const { devDependencies: _, scripts: __, ...kept } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
  const isWanted = ([name]) => READ_AT_RUN_TIME.includes(name) || BY_SYSTEM.test(name)
  const dependencies = Object.fromEntries(Object.entries(kept.dependencies).filter(isWanted))
  return { ...kept, dependencies, bundleDependencies: READ_AT_RUN_TIME }
}
