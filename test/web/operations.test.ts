import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CATALOGUE } from '../../src/operations/catalogue.ts'
import { UNUSED_OPERATIONS } from '../../web/unused-operations.ts'

const SOURCES = fileURLToPath(new URL('../../web/src/', import.meta.url))

const text = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts') && !name.endsWith('schema.d.ts'))
  .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
  .join('\n')

/** Method and path of every call of the client. */
const CALLS = new Set(
  [...text.matchAll(/\bapi\.([A-Z]+)\(\s*'([^']+)'/g)].map(([, method, path]) => `${method} ${path}`),
)

/** What a link or an event source opens. */
function isOpened({ method, path }: { method: string; path: string }): boolean {
  return method === 'GET' && !path.includes('{') && new RegExp(`['\`]${path.replaceAll('.', '\\.')}[?'\`]`).test(text)
}

const used = CATALOGUE.filter((operation) => CALLS.has(`${operation.method} ${operation.path}`) || isOpened(operation))

test('every operation is used by the dashboard, or says why not', () => {
  const unused = CATALOGUE.filter((operation) => !used.includes(operation)).map(({ id }) => id)
  expect(unused.sort()).toEqual(Object.keys(UNUSED_OPERATIONS).sort())
})

test('every call of the dashboard is an operation', () => {
  const known = new Set(CATALOGUE.map(({ method, path }) => `${method} ${path}`))
  expect(CALLS.size).toBeGreaterThan(50)
  expect([...CALLS].filter((call) => !known.has(call))).toEqual([])
})
