import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { PUBLIC_URL } from '../../../test/world.ts'
import { COMPAT_CATALOGUE } from './catalogue.ts'
import { COMPAT_ROOT } from './paths.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('the document is open, and holds every operation with its scope', async () => {
  const { status, body } = await acme.api('GET', `${COMPAT_ROOT}/openapi.json`, undefined, { key: null })
  expect([status, body.openapi, body.servers[0].url]).toEqual([200, '3.1.0', `${PUBLIC_URL}${COMPAT_ROOT}`])
  for (const { method, path, scope } of COMPAT_CATALOGUE) {
    const entry = body.paths[path.slice(COMPAT_ROOT.length)][method.toLowerCase()]
    expect(entry, `${method} ${path}`).toMatchObject({ 'x-required-scope': scope, security: [{ bearer: [] }] })
    expect(Object.keys(entry.responses)).toEqual(expect.arrayContaining(['401', '429', '500']))
  }
  expect(body.paths['/notifications'].post.responses['501']).toBeDefined()
  const ids = Object.values(body.paths).flatMap((path) =>
    Object.values(path as object).map((entry) => entry.operationId),
  )
  expect(new Set(ids).size).toBe(ids.length)
})

test('every operation has a summary and a description that can be shown, and a path of its own', () => {
  const routes = COMPAT_CATALOGUE.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
  expect(routes).toEqual([...new Set(routes)])
  for (const { summary, description, path, params } of COMPAT_CATALOGUE) {
    expect(summary).toMatch(/^[A-Z].{3,60}[^.]$/)
    expect(description).toMatch(/^[A-Z].{8,}\.$/s)
    expect(Object.keys(params.shape)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  }
})
