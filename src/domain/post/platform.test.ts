import { expect, test } from 'vitest'
import { PLATFORMS, platformFromNumber, platformNumber } from './platform.ts'

test('the stored numbers of platforms stay what they are', () => {
  // Rows hold these numbers: a new platform goes to the end.
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
    ['appstore', 12],
    ['googleplay', 13],
    ['trustpilot', 14],
    ['googlemaps', 15],
  ])
})

test('a number leads back to its platform, and a strange one to an error', () => {
  for (const platform of PLATFORMS) expect(platformFromNumber(platformNumber(platform))).toBe(platform)
  for (const number of [-1, 16, 0.5]) expect(() => platformFromNumber(number)).toThrow(RangeError)
})
