import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { loadWebBundle } from '../../src/surfaces/web/bundle.ts'
import { PAGE_ADDRESSES } from '../../src/surfaces/web/page-addresses.ts'
import { askForValue } from '../on-demand.ts'

/** Bytes after gzip. */
const KILO = 1000

interface Chunk {
  file: string
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
  isEntry?: boolean
}

async function readBuild() {
  const folder = await askForValue<string>(inject('webBundle'))
  const manifest = JSON.parse(readFileSync(`${folder}/.vite/manifest.json`, 'utf8')) as Record<string, Chunk>
  const { assets } = loadWebBundle(folder)!
  const sizeOf = (file: string): number => {
    const asset = assets.get(`/${file}`)!
    return (asset.gzip ?? asset.plain).length
  }
  return { manifest, assets, sizeOf }
}

/** Names of the chunks that a page loads before its first use. */
function loadedBy(manifest: Record<string, Chunk>, names: readonly string[]): Set<string> {
  const loaded = new Set<string>()
  const add = (name: string) => {
    if (loaded.has(name)) return
    loaded.add(name)
    for (const imported of manifest[name]!.imports ?? []) add(imported)
  }
  for (const name of names) add(name)
  return loaded
}

test('the inbox loads at most 150 kB of scripts and 20 kB of styles before its first use', async () => {
  const { manifest, sizeOf } = await readBuild()
  const chunks = [...loadedBy(manifest, ['index.html', 'src/mentions/inbox-page.tsx'])].map((name) => manifest[name]!)
  const scripts = chunks.map(({ file }) => sizeOf(file))
  const styles = [...new Set(chunks.flatMap(({ css }) => css ?? []))].map(sizeOf)
  expect(sum(scripts)).toBeLessThan(150 * KILO)
  expect(sum(styles)).toBeLessThan(20 * KILO)
})

test('the floating parts are not among them, and weigh at most 75 kB', async () => {
  const { manifest, sizeOf } = await readBuild()
  const floating = Object.keys(manifest).filter((name) => manifest[name]!.file.includes('floating'))
  expect(floating).not.toEqual([])
  const first = loadedBy(manifest, ['index.html', 'src/mentions/inbox-page.tsx'])
  expect(floating.filter((name) => first.has(name))).toEqual([])
  expect(sum(floating.map((name) => sizeOf(manifest[name]!.file)))).toBeLessThan(75 * KILO)
})

test('no other chunk weighs more than 45 kB, and all together weigh at most 360 kB', async () => {
  const { assets, sizeOf } = await readBuild()
  const scripts = [...assets.keys()].filter((address) => address.endsWith('.js')).map((address) => address.slice(1))
  const large = scripts.filter((file) => sizeOf(file) > 45 * KILO && !/\/(react|floating)-/.test(file))
  expect(large).toEqual([])
  expect(sum(scripts.map(sizeOf))).toBeLessThan(360 * KILO)
})

test('the service serves every page that the dashboard knows, and no other', () => {
  const routes = readFileSync(new URL('../../web/src/routes.tsx', import.meta.url), 'utf8')
  expect([...routes.matchAll(/^ {2}\['([^']+)'/gm)].map(([, pattern]) => pattern)).toEqual([...PAGE_ADDRESSES])
})

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0)
}
