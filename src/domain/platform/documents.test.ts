import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { factsOf, PLATFORMS, platformName } from './platforms.ts'

/** A page of the documents, by its path. */
function read(path: string): string {
  return readFileSync(join(import.meta.dirname, '../../..', path), 'utf8')
}

/** A text without its breaks of lines. */
function unwrapped(text: string): string {
  return text.replace(/\s+/g, ' ')
}

test('the page of platforms has a row for each of them, in their order', () => {
  const rows = [...read('docs/guides/platforms.md').matchAll(/^\| ([a-z, ]+) \|/gm)].map(([, names = '']) => names)
  expect(rows.flatMap((names) => names.split(', '))).toEqual([...PLATFORMS])
})

test('the page of platforms says where a new keyword looks back less far', () => {
  const page = unwrapped(read('docs/guides/platforms.md'))
  const shorter = PLATFORMS.filter((platform) => factsOf(platform).longestLookBackDays !== null)
  const [, none = ''] = page.match(/Nothing earlier comes from ([^.]+)\./) ?? []
  for (const platform of shorter) {
    const days = factsOf(platform).longestLookBackDays
    if (days === 0) expect(none).toContain(platformName(platform))
    else expect(page).toContain(`${days} on ${platformName(platform)}`)
  }
})

test('the README names every platform and says how many there are', () => {
  const readme = unwrapped(read('README.md'))
  const [, listed = ''] = readme.match(new RegExp(`It reads ${PLATFORMS.length} platforms: ([^.]+)\\.`)) ?? []
  for (const platform of PLATFORMS) expect(listed.toLowerCase()).toContain(platformName(platform).toLowerCase())
})
