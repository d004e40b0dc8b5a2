import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Language } from '../../src/domain/account/language.ts'
import { loadWebBundle, shellPath } from '../../src/surfaces/web/bundle.ts'

interface Chunk {
  file: string
}

/** Bytes after gzip. */
export interface BundleSizes {
  /** Scripts and styles that the inbox loads before its first use. */
  inboxScripts: number
  inboxStyles: number
  /** Floating parts, which are loaded when the browser has time. */
  floating: number
  /** Scripts beside the floating parts, the frame with the inbox and the library of the pages, by file. */
  others: ReadonlyMap<string, number>
  allScripts: number
  /** Floating parts that the inbox loads before its first use. */
  floatingInInbox: readonly string[]
}

/** The chunk of the frame holds this page, too. */
const INBOX = 'src/mentions/inbox-page.tsx'

/** Reads the sizes of a built dashboard in a language. A reader loads no file of another one. */
export function readBundleSizes(folder: string, language: Language): BundleSizes {
  const page = shellPath(folder, language)
  const manifest = JSON.parse(readFileSync(`${dirname(page)}/.vite/manifest.json`, 'utf8')) as Record<string, Chunk>
  const { assets } = loadWebBundle(folder)!
  const sizeOf = (file: string): number => {
    const asset = assets.get(`/${file}`)!
    return (asset.gzip ?? asset.plain).length
  }
  const shell = readFileSync(page, 'utf8')
  const first = [...shell.matchAll(/="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file!)
  if (manifest[INBOX] !== undefined)
    throw new Error(`the frame does not hold ${INBOX}, whose chunks would not be counted`)
  const floating = Object.keys(manifest).filter((name) => manifest[name]!.file.includes('floating'))
  const scripts = [...new Set(Object.values(manifest).map(({ file }) => file))].filter((file) => file.endsWith('.js'))
  return {
    inboxScripts: sum(first.filter((file) => file.endsWith('.js')).map(sizeOf)),
    inboxStyles: sum(first.filter((file) => file.endsWith('.css')).map(sizeOf)),
    floating: sum(floating.map((name) => sizeOf(manifest[name]!.file))),
    others: new Map(
      scripts.filter((file) => !/\/(react|inbox|floating)-/.test(file)).map((file) => [file, sizeOf(file)]),
    ),
    allScripts: sum(scripts.map(sizeOf)),
    floatingInInbox: floating.filter((name) => first.includes(manifest[name]!.file)),
  }
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0)
}
