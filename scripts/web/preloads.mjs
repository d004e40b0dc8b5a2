import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROUTES = fileURLToPath(new URL('../../web/src/routes.tsx', import.meta.url))
const ROUTE = /\['(\/[^']*)', lazy\(.*?import\('\.\/([^']+)'\)\)\]/g

/** Writes down, by the pattern of its address, the assets of each page that the shell does not name itself. */
export function writePreloads(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8'))
  const shell = readFileSync(join(folder, 'index.html'), 'utf8')
  const pages = [...readFileSync(ROUTES, 'utf8').matchAll(ROUTE)].map(([, pattern, page]) => [
    pattern,
    [...assetsOf(manifest, `src/${page}`, new Set())].map((asset) => `/${asset}`).filter((url) => !shell.includes(url)),
  ])
  writeFileSync(join(folder, 'preloads.json'), JSON.stringify(Object.fromEntries(pages)))
}

/** A module's own file and styles, and those of all that it imports at once. */
function assetsOf(manifest, name, found) {
  const { file, css = [], imports = [] } = manifest[name]
  if (found.has(file)) return found
  for (const asset of [file, ...css]) found.add(asset)
  for (const imported of imports) assetsOf(manifest, imported, found)
  return found
}
