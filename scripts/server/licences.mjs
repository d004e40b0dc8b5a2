import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files that hold the licence of a package. */
const LICENCE = /^(licen[cs]e|notice|copying|copyright)/i
/** Where a package without such a file tells of its licence. */
const TOLD = /^(package\.json$|readme)/i
/** The folder of the package that a module belongs to; of nested ones the innermost. */
const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/s

/**
 * Puts the licences of all packages in the chunks into `licences` of the folder: they ask to come with the code. A
 * `package.json` gets another ending, because it would be taken for a manifest of ours.
 */
export function writeLicences(output, folder) {
  const roots = new Set(output.flatMap(({ moduleIds = [] }) => moduleIds.map(rootOf)))
  roots.delete(null)
  for (const root of roots) {
    const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const entries = readdirSync(root)
    const licences = entries.filter((entry) => LICENCE.test(entry))
    const files = licences.length > 0 ? licences : entries.filter((entry) => TOLD.test(entry))
    for (const file of files) {
      const kept = file === 'package.json' ? `${file}.txt` : file
      cpSync(join(root, file), join(folder, 'licences', `${name}@${version}`, kept), { recursive: true })
    }
  }
}

function rootOf(module) {
  let root = PACKAGE.exec(module.replace(/^\0/, ''))?.[1]
  // What a package has copied into itself comes under its licence.
  while (root !== undefined && !existsSync(join(root, 'package.json'))) root = PACKAGE.exec(root)?.[1]
  return root ?? null
}
