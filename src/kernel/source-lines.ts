import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'

/** Where the bundle lies; from sources, the folder of these, which have no maps. */
const BUNDLE = new URL('../', import.meta.url).href
const PROJECT = new URL('../', BUNDLE).href

/** Null for a file without a map. A map is read when an error first leads into its file. */
const maps = new Map<string, SourceMap | null>()

/** The stack with files and lines of the sources, such as `src/main/start.ts:12`, for those of the bundle. */
export function withSourceLines(stack: string): string {
  const [beginning, ...frames] = stack.split(BUNDLE)
  const named = frames.map((frame) => {
    // Without dots in the path it stays within the folder, whatever a message holds.
    const [place, file, line, column] = /^([\w/-]{1,200}\.js):(\d{1,9}):(\d{1,9})/.exec(frame) ?? []
    const source = file === undefined ? null : sourceAt(file, Number(line), Number(column))
    return source === null ? BUNDLE + frame : source + frame.slice(place!.length)
  })
  return beginning + named.join('')
}

/** Has Node.js name sources in what it prints when an error ends the process. */
export function nameSourcesInCrashes(): void {
  process.on('uncaughtExceptionMonitor', (error) => {
    // Anything may be thrown, also what has no stack or a fixed one.
    if (typeof error?.stack === 'string') Reflect.set(error, 'stack', withSourceLines(error.stack))
  })
}

function sourceAt(file: string, line: number, column: number): string | null {
  if (!maps.has(file)) maps.set(file, readMap(file))
  const found = maps.get(file)?.findEntry(line - 1, column - 1)
  if (found === undefined || !('originalSource' in found) || found.originalSource === undefined) return null
  const { href } = new URL(found.originalSource, new URL(file, BUNDLE))
  return `${href.startsWith(PROJECT) ? href.slice(PROJECT.length) : href}:${found.originalLine + 1}`
}

function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`, BUNDLE), 'utf8')) as SourceMapPayload)
  } catch {
    // An error is better told with lines of the bundle than not at all.
    return null
  }
}
