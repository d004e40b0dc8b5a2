import type { z } from 'zod'

interface Declaration<Value> {
  /** What it means to an operator. */
  meaning: string
  /** What a value looks like, in words. */
  form: string
  unit?: string
  secret?: true
  /** Checks the text of the environment and makes the value of it. The messages of issues come after the name. */
  schema: z.ZodType<Value, string>
}

/**
 * A setting as the room that owns it declares it. What counts when the name is absent is either a text as an operator
 * could set it (`default`), or words that say what then happens (`fallback`) and no value.
 */
export type Setting<Value = unknown> = Declaration<Value> & ({ default: string } | { fallback: string })

/** Settings by their name in the environment, in the order in which operators read them. */
export type SettingsTable = Readonly<Record<string, Setting>>

export type ValueOf<Declared extends Setting> = Declared extends { default: string }
  ? z.output<Declared['schema']>
  : z.output<Declared['schema']> | undefined

export type ValuesOf<Table extends SettingsTable> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> }

export type Environment = Readonly<Record<string, string | undefined>>

/** The texts of the environment that count, by name. */
export type Given = ReadonlyMap<string, string>

/** Trims the values of the environment; an empty value counts as absent. */
export function givenIn(environment: Environment): Given {
  return new Map(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()] as const] : [])),
  )
}

/**
 * The values of a table, and what is wrong, a line for each bad value, which names the setting and never repeats the
 * value. The values are of use only when nothing is wrong.
 */
export function readTable<Table extends SettingsTable>(
  table: Table,
  given: Given,
): { values: ValuesOf<Table>; problems: string[] } {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(table)) {
    const text = given.get(name) ?? ('default' in setting ? setting.default : undefined)
    if (text === undefined) continue
    const { success, data, error } = setting.schema.safeParse(text)
    if (success) values[name] = data
    else problems.push(`${name}: ${error.issues[0]!.message}`)
  }
  return { values: values as ValuesOf<Table>, problems }
}

/** Names with the prefix of our own settings that are not known, a line each: slips that would have no effect. */
export function findUnknownNames(given: Given, prefix: string, known: ReadonlySet<string>): string[] {
  return [...given.keys()]
    .filter((name) => name.startsWith(prefix) && !known.has(name))
    .map((name) => `${name}: there is no setting of this name`)
}

/** Of settings that are of use only together: a line for each that is missing beside the first that is there. */
export function findMissing(given: Given, together: readonly string[]): string[] {
  const present = together.find((name) => given.has(name))
  if (present === undefined) return []
  return together.filter((name) => !given.has(name)).map((name) => `${name}: is missing beside ${present}`)
}

/** The settings in force for an operator to read: name, value (secrets hidden) and whether it is set. */
export function describeTable(
  table: SettingsTable,
  environment: Environment,
): { name: string; value: string; set: boolean }[] {
  const given = givenIn(environment)
  return Object.entries(table).map(([name, setting]) => {
    const value = given.get(name)
    if (value === undefined) return { name, value: whenAbsent(setting), set: false }
    return { name, value: setting.secret ? '(set, hidden)' : value, set: true }
  })
}

/** The table for the documentation, in Markdown. */
export function renderTable(table: SettingsTable): string {
  const rows = Object.entries(table).map(([name, setting]) => {
    const { meaning, form, unit } = setting
    return `| \`${name}\` | ${meaning} | ${form}${unit ? ` (${unit})` : ''} | ${whenAbsent(setting)} |`
  })
  return ['| Name | Meaning | Form | When absent |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function whenAbsent(setting: Setting): string {
  return 'default' in setting ? setting.default : setting.fallback
}
