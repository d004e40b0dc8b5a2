import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { factsOf, isSearchPlatform, PLATFORMS, platformFromNumber, platformNumber } from './platforms.ts'

test('the stored numbers of platforms stay what they are', () => {
  // Rows hold these numbers: a new platform takes the next one, wherever it stands in the table.
  expect(PLATFORMS.map((platform) => [platform, platformNumber(platform)])).toEqual([
    ['bluesky', 0],
    ['hackernews', 1],
    ['github', 2],
    ['stackoverflow', 3],
    ['devto', 4],
    ['reddit', 5],
    ['x', 6],
    ['youtube', 7],
    ['news', 8],
    ['linkedin', 9],
    ['tiktok', 10],
    ['instagram', 11],
    ['feeds', 16],
    ['mastodon', 17],
    ['discourse', 18],
    ['stackexchange', 19],
    ['lemmy', 20],
    ['lobsters', 21],
    ['podcasts', 22],
    ['producthunt', 23],
    ['appstore', 12],
    ['googleplay', 13],
    ['trustpilot', 14],
    ['googlemaps', 15],
  ])
})

test('no two platforms share a number, and every number is the place of a bit in a whole number', () => {
  const numbers = PLATFORMS.map(platformNumber)
  expect(new Set(numbers).size).toBe(PLATFORMS.length)
  for (const number of numbers) expect(1 << number).toBeGreaterThan(0)
})

test('a number leads back to its platform, and a strange one to an error', () => {
  for (const platform of PLATFORMS) expect(platformFromNumber(platformNumber(platform))).toBe(platform)
  const next = Math.max(...PLATFORMS.map(platformNumber)) + 1
  for (const number of [-1, next, 0.5]) expect(() => platformFromNumber(number)).toThrow(RangeError)
})

test('every file of facts is in the table, and every platform has an adapter of its own', () => {
  const shared = ['facts', 'links', 'names', 'platforms', 'storefront']
  expect(
    filesIn('.')
      .filter((name) => !shared.includes(name))
      .sort(),
  ).toEqual([...PLATFORMS].sort())
  const folders = readdirSync(at('../../sources'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const adapters = folders.map(({ name }) => name).filter((name) => name !== 'providers')
  expect(adapters.sort()).toEqual([...PLATFORMS].sort())
})

test('a platform is searched or has review pages, and is polled unless its feed is live', () => {
  for (const platform of PLATFORMS) {
    const { mode, pollSeconds } = factsOf(platform)
    expect([platform, isSearchPlatform(platform)]).toEqual([platform, mode !== 'reviews'])
    expect([platform, pollSeconds === null]).toEqual([platform, mode === 'live'])
  }
})

function filesIn(folder: string): string[] {
  return readdirSync(at(folder))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => name.slice(0, -'.ts'.length))
}

function at(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
