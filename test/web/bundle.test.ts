import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { LANGUAGES } from '../../src/domain/account/language.ts'
import { loadWebBundle } from '../../src/surfaces/web/bundle.ts'
import { PAGE_ADDRESSES } from '../../src/surfaces/web/page-addresses.ts'
import { askForValue } from '../on-demand.ts'
import { type BundleSizes, readBundleSizes } from './bundle-sizes.ts'

const KILO = 1000

let folder: string
beforeAll(async () => {
  folder = await askForValue<string>(inject('webBundle'))
})

/** The budgets are of what one reader loads, who reads one language. */
describe.each(LANGUAGES)('in the language %s', (language) => {
  let sizes: BundleSizes
  beforeAll(() => {
    sizes = readBundleSizes(folder, language)
  })

  test('the inbox loads at most 150 kB of scripts and 20 kB of styles before its first use', () => {
    expect(sizes.inboxScripts).toBeGreaterThan(0)
    expect(sizes.inboxScripts).toBeLessThan(150 * KILO)
    expect(sizes.inboxStyles).toBeLessThan(20 * KILO)
  })

  test('the floating parts are not among them, and weigh at most 75 kB', () => {
    expect(sizes.floatingInInbox).toEqual([])
    expect(sizes.floating).toBeGreaterThan(0)
    expect(sizes.floating).toBeLessThan(75 * KILO)
  })

  test('every page but the inbox has scripts of its own, which are there', () => {
    const { preloads, assets } = loadWebBundle(folder)!
    const others = PAGE_ADDRESSES.filter((address) => !address.startsWith('/inbox'))
    expect(Object.keys(preloads[language])).toEqual(others)
    for (const urls of Object.values(preloads[language])) {
      expect(urls.length).toBeGreaterThan(0)
      expect(urls.filter((url) => !assets.has(url))).toEqual([])
    }
  })

  test('no other chunk weighs more than 45 kB, and all together weigh at most 360 kB', () => {
    expect([...sizes.others].filter(([, size]) => size > 45 * KILO)).toEqual([])
    expect(sizes.allScripts).toBeLessThan(360 * KILO)
  })
})

test('the service serves every page that the dashboard knows, and no other', () => {
  const routes = readFileSync(new URL('../../web/src/routes.tsx', import.meta.url), 'utf8')
  expect([...routes.matchAll(/^ {2}\['([^']+)'/gm)].map(([, pattern]) => pattern)).toEqual([...PAGE_ADDRESSES])
})
