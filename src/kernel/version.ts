import { readFileSync } from 'node:fs'

/** Of the package, and so of the API document. */
export const VERSION: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
