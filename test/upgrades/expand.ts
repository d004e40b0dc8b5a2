/** What a build that does not know the migration would trip over, by what a statement says. */
const CONTRACTING: readonly { what: string; pattern: RegExp }[] = [
  {
    what: 'drops what the former build may use',
    pattern: /\bdrop\s+(table|column|function|trigger|type|view|default)\b/,
  },
  { what: 'renames what the former build may use', pattern: /\brename\b/ },
  { what: 'changes a type under the former build', pattern: /\balter\s+(column\s+)?\w+\s+(set\s+data\s+)?type\b/ },
  { what: 'refuses nulls that the former build may write', pattern: /\bset\s+not\s+null\b/ },
  {
    what: 'refuses rows that the former build may write',
    pattern: /\badd\s+(constraint\s+\S+\s+)?(check|unique|foreign|primary|exclude)\b/,
  },
]

/** A column that must be given, which the former build does not know. */
const NEEDED_COLUMN = /\badd\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?(?!constraint\b)\w+\s[^,;]*\bnot\s+null\b[^,;]*/g

/**
 * The first line of a migration that takes away what no supported build uses any more: `-- contracts: VERSION`, the last
 * version that used it.
 */
const MARK = /^-- contracts: (\d+\.\d+\.\d+)\n/

/**
 * Why a build of before may not run beside this migration; empty for one that only adds. `released` are the versions
 * whose dumps are kept, oldest first: what the newest of them uses cannot be taken away yet.
 */
export function problemsOf(migration: string, released: readonly string[]): string[] {
  const [, last] = MARK.exec(migration) ?? []
  if (last !== undefined)
    return released.slice(0, -1).includes(last) ? [] : [`${last} is no version before the last one that is kept`]
  const text = migration
    .replace(/--[^\n]*/g, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .toLowerCase()
  const needed = (text.match(NEEDED_COLUMN) ?? []).some((column) => !/\bdefault\b|\bgenerated\b/.test(column))
  return [
    ...CONTRACTING.flatMap(({ what, pattern }) => (pattern.test(text) ? [what] : [])),
    ...(needed ? ['needs a column that the former build does not write; give it a default'] : []),
  ]
}
