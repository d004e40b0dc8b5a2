import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The parent of `dist` or `src`. */
export const PROJECT_DIR = fileURLToPath(new URL('../../', import.meta.url))
/** False in an installed package, which has no sources. */
export const IS_CHECKOUT = existsSync(join(PROJECT_DIR, 'src', 'main', 'cli.ts'))
/** How a person at the terminal calls the command. */
export const COMMAND = IS_CHECKOUT ? 'npx --no earshot' : 'earshot'
