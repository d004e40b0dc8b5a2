import { expect, test } from 'vitest'
import { PLATFORMS } from '../domain/post/platform.ts'
import { createSources } from './registry.ts'

test('every source is there once, in the order of the platforms, and says which hosts it asks', () => {
  const sources = createSources()
  const order = sources.map((source) => PLATFORMS.indexOf(source.platform))
  expect(order).toEqual([...new Set(order)].sort((a, b) => a - b))
  for (const { hosts } of sources) for (const host of hosts) expect(host).toMatch(/^\.?[a-z0-9-]+(\.[a-z0-9-]+)+$/)
})

test('the hosts of the Bluesky feed can be set; an empty list means the public ones', () => {
  const hostsOf = (hosts?: string[]) => createSources(hosts ? { bluesky: { hosts } } : {}).find((source) => source.platform === 'bluesky')?.hosts
  expect(hostsOf(['feed.example'])).toEqual(['feed.example'])
  expect(hostsOf([])).toEqual(hostsOf())
})
