import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The parent of `dist` or `src`. */
export const PROJECT_DIR = fileURLToPath(new URL('../../', import.meta.url))
/** False in an installed package, which has no sources. */
export const IS_CHECKOUT = isCheckout(PROJECT_DIR)
/** How a person at the terminal calls the command. Hints that name a command begin with it. */
export const COMMAND = commandOf(PROJECT_DIR)

function isCheckout(project: string): boolean {
  return existsSync(join(project, 'src', 'main', 'cli.ts'))
}

export function commandOf(project: string): string {
  if (isCheckout(project)) return 'npx --no earshot'
  const given = packageGivenToNpx(project)
  return given === null ? 'earshot' : `npx ${given}`
}

/** `npx ./earshot-1.0.0.tgz` installs into a folder of its cache, and notes there what it was given. */
function packageGivenToNpx(project: string): string | null {
  const root = dirname(dirname(join(project, '.')))
  if (basename(dirname(root)) !== '_npx') return null
  const { _npx: note } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    _npx?: { packages?: string[] }
  }
  return note?.packages?.length === 1 ? note.packages[0]! : null
}
