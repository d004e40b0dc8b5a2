import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const DOCUMENT = join(PROJECT, 'docs/generated/openapi.json')
const TYPES = join(PROJECT, 'web/src/api/schema.d.ts')

/** Writes the types of the dashboard's API client from the OpenAPI document, unless they are up to date. */
export async function writeApiTypes() {
  const document = readFileSync(DOCUMENT)
  const stamp = `// ${createHash('sha256').update(document).digest('hex')}\n`
  if (existsSync(TYPES) && readFileSync(TYPES, 'utf8').startsWith(stamp)) return
  // The generator validates by redocly.yaml of this project, whose rules are stricter than types need.
  const require = createRequire(import.meta.resolve('openapi-typescript'))
  const { createConfig } = await import(pathToFileURL(require.resolve('@redocly/openapi-core')))
  const redocly = await createConfig({ extends: [] })
  const tree = await openapiTS(pathToFileURL(DOCUMENT), { redocly, silent: true })
  writeFileSync(TYPES, stamp + astToString(tree))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeApiTypes()
