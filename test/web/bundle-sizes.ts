import { readFileSync } from 'node:fs'
import { loadWebBundle } from '../../src/surfaces/web/bundle.ts'

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

/** Bytes after gzip. */
export interface BundleSizes {
  /** Scripts and styles that the inbox loads before its first use. */
  inboxScripts: number
  inboxStyles: number
  /** Floating parts, which are loaded when the browser has time. */
  floating: number
  /** Scripts beside the floating parts and the library of the pages, by file. */
  others: ReadonlyMap<string, number>
  allScripts: number
  /** Floating parts that the inbox loads before its first use. */
  floatingInInbox: readonly string[]
}

const INBOX = ['index.html', 'src/mentions/inbox-page.tsx']

/** Reads the sizes of a built dashboard. */
export function readBundleSizes(folder: string): BundleSizes {
  const manifest = JSON.parse(readFileSync(`${folder}/.vite/manifest.json`, 'utf8')) as Record<string, Chunk>
  const { assets } = loadWebBundle(folder)!
  const sizeOf = (file: string): number => {
    const asset = assets.get(`/${file}`)!
    return (asset.gzip ?? asset.plain).length
  }
  const first = loadedBy(manifest, INBOX)
  const chunks = [...first].map((name) => manifest[name]!)
  const floating = Object.keys(manifest).filter((name) => manifest[name]!.file.includes('floating'))
  const scripts = [...assets.keys()].filter((address) => address.endsWith('.js')).map((address) => address.slice(1))
  return {
    inboxScripts: sum(chunks.map(({ file }) => sizeOf(file))),
    inboxStyles: sum([...new Set(chunks.flatMap(({ css }) => css ?? []))].map(sizeOf)),
    floating: sum(floating.map((name) => sizeOf(manifest[name]!.file))),
    others: new Map(scripts.filter((file) => !/\/(react|floating)-/.test(file)).map((file) => [file, sizeOf(file)])),
    allScripts: sum(scripts.map(sizeOf)),
    floatingInInbox: floating.filter((name) => first.has(name)),
  }
}

/** Names of the chunks that are loaded with these. */
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

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0)
}
