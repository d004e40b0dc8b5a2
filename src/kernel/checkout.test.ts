import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { COMMAND, commandOf, PROJECT_DIR } from './checkout.ts'

let ground = ''
beforeEach(() => {
  ground = mkdtempSync(join(tmpdir(), 'earshot-command-'))
})
afterEach(() => rmSync(ground, { recursive: true, force: true }))

function folder(...path: string[]): string {
  const made = join(ground, ...path)
  mkdirSync(made, { recursive: true })
  return made
}

/** What npx leaves in its cache. */
function givenToNpx(packages: string[]): string {
  const project = folder('_npx', 'f172f02958deae92', 'node_modules', 'earshot')
  writeFileSync(join(project, '..', '..', 'package.json'), JSON.stringify({ dependencies: {}, _npx: { packages } }))
  return project
}

test('the command of a checkout runs what is checked out', () => {
  expect(COMMAND).toBe('npx --no earshot')
  expect(commandOf(PROJECT_DIR)).toBe(COMMAND)
})

test('the command of an installed package is its own', () => {
  expect(commandOf(folder('lib', 'node_modules', 'earshot'))).toBe('earshot')
})

test('the command of a package that npx runs names the package as it was given', () => {
  expect(commandOf(givenToNpx(['./earshot-0.0.1.tgz']))).toBe('npx ./earshot-0.0.1.tgz')
  expect(commandOf(`${givenToNpx(['./earshot-0.0.1.tgz'])}/`)).toBe('npx ./earshot-0.0.1.tgz')
  expect(commandOf(givenToNpx(['./earshot-0.0.1.tgz', 'another']))).toBe('earshot')
})
