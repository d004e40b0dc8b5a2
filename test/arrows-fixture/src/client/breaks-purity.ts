// breaks: client-runs-anywhere
export { readFileSync } from 'node:fs'
