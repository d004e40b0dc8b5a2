import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const DOCUMENT = join(PROJECT, 'docs/generated/openapi.json')
const TYPES = join(PROJECT, 'src/client/schema.d.ts')

/**
 * Writes the types of the client and of the dashboard from the OpenAPI document, unless they are up to date. The
 * generator is loaded only here, because a clean checkout imports this before it has installed packages.
 */
export async function writeApiTypes() {
  const sources = [DOCUMENT, fileURLToPath(import.meta.url)].map((path) => readFileSync(path))
  const stamp = `// ${createHash('sha256').update(Buffer.concat(sources)).digest('hex')}\n`
  if (existsSync(TYPES) && readFileSync(TYPES, 'utf8').startsWith(stamp)) return
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  // The generator validates by redocly.yaml of this project, whose rules are stricter than types need.
  const require = createRequire(import.meta.resolve('openapi-typescript'))
  const { createConfig } = await import(pathToFileURL(require.resolve('@redocly/openapi-core')))
  const redocly = await createConfig({ extends: [] })
  const tree = await openapiTS(pathToFileURL(DOCUMENT), { redocly, silent: true, defaultNonNullable: false })
  const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'))
  writeFileSync(TYPES, stamp + withDescriptions(astToString(tree), document) + codesOf(document))
}

/** The generator describes paths. Callers of the client see the names of operations. */
function withDescriptions(text, document) {
  const [before, after] = text.split('export interface operations {\n')
  const described = operationsOf(document).reduce((rest, { operationId, summary, description }) => {
    const lines = [`${summary}.`, '', ...description.replaceAll('*/', '* /').split('\n')]
    const comment = ['    /**', ...lines.map((line) => `     * ${line}`.trimEnd()), '     */'].join('\n')
    const found = rest.replace(new RegExp(`^ {4}${operationId}: \\{$`, 'm'), (head) => `${comment}\n${head}`)
    if (found === rest) throw new Error(`There is no type of the operation ${operationId}.`)
    return found
  }, after)
  return `${before}export interface operations {\n${described}`
}

/** The error codes of each operation, which the document has as names of examples. */
function codesOf(document) {
  const codes = ({ responses }) =>
    Object.values(responses)
      .map((response) => document.components.responses[response.$ref?.split('/').at(-1)])
      .flatMap((response) => Object.keys(response?.content['application/json'].examples ?? {}))
  const lines = operationsOf(document).map(
    (operation) =>
      `    ${operation.operationId}: ${codes(operation)
        .map((code) => `"${code}"`)
        .join(' | ')};`,
  )
  return ['export interface codes {', ...lines, '}', ''].join('\n')
}

function operationsOf({ paths }) {
  return Object.values(paths).flatMap((path) => Object.values(path))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeApiTypes()
