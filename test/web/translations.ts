import { readdirSync } from 'node:fs'

const ROOM = new URL('../../web/src/', import.meta.url)

/** Words of a module: texts, functions that make texts, and objects of both. */
export type Words = { readonly [key: string]: unknown }

export interface Translated {
  module: string
  english: Words
  /** Null where the module has no translation. */
  german: Words | null
}

/** Every module of words with its translation. Modules that only make use of words export functions. */
export async function translatedModules(): Promise<Translated[]> {
  const files = readdirSync(ROOM, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
  const modules = files.filter((file) => file.endsWith('words.ts')).sort()
  const found = await Promise.all(
    modules.map(async (module) => {
      const translation = module.replace(/\.ts$/, '.de.ts')
      const english = await objectsOf(module)
      const german = files.includes(translation) ? await objectsOf(translation) : null
      return { module, english, german }
    }),
  )
  return found.filter(({ english }) => Object.keys(english).length > 0)
}

async function objectsOf(module: string): Promise<Words> {
  const all = (await import(new URL(module, ROOM).href)) as Words
  return Object.fromEntries(Object.entries(all).filter(([, value]) => typeof value !== 'function'))
}

/** The texts without arguments, by their keys. */
export function textsOf(words: unknown, path = ''): Map<string, string> {
  if (typeof words === 'string') return new Map([[path, words]])
  if (typeof words !== 'object' || words === null) return new Map()
  return new Map(Object.entries(words).flatMap(([key, value]) => [...textsOf(value, `${path}.${key}`)]))
}

/** All keys, with what stands there. */
export function shapeOf(words: unknown): unknown {
  if (typeof words !== 'object' || words === null) return words === null ? 'nothing' : typeof words
  return Object.fromEntries(Object.entries(words).map(([key, value]) => [key, shapeOf(value)]))
}
