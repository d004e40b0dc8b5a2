import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { LANGUAGES, type Language } from '../../domain/account/language.ts'

/** A file of the built dashboard with its compressed forms, null where compression does not pay. */
export interface BundledFile {
  type: string
  plain: Buffer
  br: Buffer | null
  gzip: Buffer | null
}

/** The built dashboard, held in memory: no path of a request reaches the disk. */
export interface WebBundle {
  /** The page that loads everything else, in each language. */
  shells: Readonly<Record<Language, string>>
  /** Addresses of assets that a page loads besides the shell's own, by the pattern of its address. */
  preloads: Readonly<Record<Language, Readonly<Record<string, readonly string[]>>>>
  /** By address. */
  assets: ReadonlyMap<string, BundledFile>
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Null when the dashboard is not built. */
export function loadWebBundle(folder: string): WebBundle | null {
  if (!existsSync(join(folder, 'index.html'))) return null
  const assets = new Map(
    readdirSync(join(folder, 'assets'), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, 'assets', name))
      .filter((path) => TYPES[extname(path)] !== undefined)
      .map((path) => [`/${relative(folder, path).split(sep).join('/')}`, fileAt(path)]),
  )
  return {
    shells: inEach((language) => readFileSync(shellPath(folder, language), 'utf8')),
    preloads: inEach((language) => JSON.parse(readFileSync(join(folderOf(folder, language), 'preloads.json'), 'utf8'))),
    assets,
  }
}

function inEach<Item>(make: (language: Language) => Item): Record<Language, Item> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, make(language)])) as Record<Language, Item>
}

export function shellPath(folder: string, language: Language): string {
  return join(folderOf(folder, language), 'index.html')
}

/** English, the language of the sources, has no folder of its own. */
function folderOf(folder: string, language: Language): string {
  return join(folder, language === 'en' ? '' : language)
}

function fileAt(path: string): BundledFile {
  return {
    type: TYPES[extname(path)]!,
    plain: readFileSync(path),
    br: compressed(`${path}.br`),
    gzip: compressed(`${path}.gz`),
  }
}

function compressed(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null
}
