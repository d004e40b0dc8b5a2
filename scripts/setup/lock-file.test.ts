import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const PACKAGES = (
  JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { integrity?: string; resolved?: string }>
  }
).packages
const installed = Object.entries(PACKAGES).filter(([path]) => path !== '')

test('every package of the lock file, those of other platforms too, is held to a checksum', () => {
  expect(installed.length).toBeGreaterThan(400)
  expect(
    installed
      .filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
      .map(([path]) => path),
  ).toEqual([])
})

test('no package is fetched from an address of its own', () => {
  expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
})

test('no package runs a script while it is installed', () => {
  expect(readFileSync('.npmrc', 'utf8').split('\n')).toContain('ignore-scripts=true')
})
