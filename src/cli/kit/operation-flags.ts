import { readWordList } from '../../kernel/word-list.ts'
import { FLAG_KINDS, type Flag, type FlagKind } from './flags.ts'

/** The operations whose inputs are flags of the command line. */
export const WITH_FLAGS = [
  'list-keywords',
  'create-keyword',
  'list-mentions',
  'stream-mentions',
  'export-mentions-csv',
  'search-deliveries',
  'search-platforms',
  'get-analytics-summary',
] as const
export type WithFlags = (typeof WITH_FLAGS)[number]

let lines: string[][] | undefined

/**
 * The inputs of an operation as flags of commands. Each line of the file has the operation, the field, its kind, what
 * it is about and its choices, with bars between.
 */
export function flagsOf(operation: WithFlags): readonly Flag[] {
  lines ??= readWordList('cli/kit/operation-flags').map((line) => line.split('|'))
  return lines
    .filter(([id]) => id === operation)
    .map(([, field = '', kind = '', about = '', choices = '']) => ({
      field,
      kind: kindIn(kind),
      about,
      ...(choices === '' ? {} : { choices: choices.split(',') }),
    }))
}

function kindIn(text: string): FlagKind {
  const kind = FLAG_KINDS.find((known) => known === text)
  if (kind === undefined) throw new Error(`operation-flags.txt has the unknown kind ${text}. Run npm run generate.`)
  return kind
}
