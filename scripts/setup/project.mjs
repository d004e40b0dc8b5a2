import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the checkout. */
export const PROJECT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** False in an installed package, which is built and has no sources. */
export const IS_CHECKOUT = existsSync(join(PROJECT, 'src', 'main', 'cli.ts'))

/** Scratch space of the set-up, on the same disk as the checkout so that finished work can be moved into place. */
export const SCRATCH = join(PROJECT, '.earshot')

/** What went wrong, in words for the person at the terminal; printed without a stack. */
export class SetupError extends Error {
  name = 'SetupError'
}
