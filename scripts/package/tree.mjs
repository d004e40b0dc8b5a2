import { cpSync, existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { PROJECT, SetupError } from '../setup/project.mjs'
import { nameOf, systemPaths } from './shipped.mjs'
import { stagePackage } from './stage.mjs'

/** Nobody needs these of the database to run it. */
const NOT_RUN = /\.(a|h)$|\/(pkgconfig|pgxs)(\/|$)/

/** Stages the package together with the packages for this system: a folder that runs with nothing but Node.js. */
export async function stageTree(folder) {
  await stagePackage(folder)
  addSystemPackages(folder)
}

export function addSystemPackages(folder) {
  for (const path of systemPaths(process)) {
    const root = join(PROJECT, path)
    if (!existsSync(root)) throw new SetupError(`The package ${nameOf(path)} is missing. Run npm ci.`)
    // The links of libraries may or may not have been made in the checkout.
    const filter = (source) => !(lstatSync(source).isSymbolicLink() || NOT_RUN.test(source.slice(root.length)))
    cpSync(root, join(folder, path), { recursive: true, filter })
    linkLibraries(join(folder, path))
  }
}

/** npm leaves links out of packages, and where the folder cannot be written to, the service could not add them. */
function linkLibraries(root) {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')))
    symlinkSync(basename(source), join(root, target))
}
