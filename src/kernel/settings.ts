import type { z } from 'zod'

/** Where an operator gets the value, as addresses of which one suffices, and what the service behind it charges. */
export interface Obtaining {
  from: readonly string[]
  /** In words; null where it is free. */
  price: string | null
}

interface Declaration<Value> {
  /** For operators, in words. */
  meaning: string
  form: string
  unit?: string
  secret?: true
  obtain?: Obtaining
  /** From the text of the environment; messages of issues follow the name. */
  schema: z.ZodType<Value, string>
}

/** An absent setting has a `default`, as an operator would write it, or a `fallback`: words for what then happens. */
export type Setting<Value = unknown> = Declaration<Value> & ({ default: string } | { fallback: string })

/** In the order of the documentation. */
export type SettingsTable = Readonly<Record<string, Setting>>

export type ValueOf<Declared extends Setting> = Declared extends { default: string }
  ? z.output<Declared['schema']>
  : z.output<Declared['schema']> | undefined

export type ValuesOf<Table extends SettingsTable> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> }

export type Environment = Readonly<Record<string, string | undefined>>

export type GivenSettings = ReadonlyMap<string, string>

/** Trimmed; empty counts as absent. */
export function givenIn(environment: Environment): GivenSettings {
  return new Map(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()] as const] : [])),
  )
}

/** One line for each bad value, with its name and never the value. Use the values only without problems. */
export function readTable<Table extends SettingsTable>(
  table: Table,
  given: GivenSettings,
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

/** Names with our prefix that are unknown: typos without effect. */
export function findUnknownNames(given: GivenSettings, prefix: string, known: ReadonlySet<string>): string[] {
  return [...given.keys()]
    .filter((name) => name.startsWith(prefix) && !known.has(name))
    .map((name) => `${name}: there is no setting of this name`)
}

/** Missing settings of a group that works only together. */
export function findMissing(given: GivenSettings, together: readonly string[]): string[] {
  const present = together.find((name) => given.has(name))
  if (present === undefined) return []
  return together.filter((name) => !given.has(name)).map((name) => `${name}: is missing beside ${present}`)
}

/** Secrets are hidden. */
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

export function renderTable(table: SettingsTable): string {
  const rows = Object.entries(table).map(([name, setting]) => {
    const { meaning, form, unit, obtain } = setting
    const origin = obtain
      ? ` Get it at ${obtain.from.map((url) => `<${url}>`).join(' or ')}; price: ${obtain.price ?? 'nothing'}.`
      : ''
    return `| \`${name}\` | ${meaning}${origin} | ${form}${unit ? ` (${unit})` : ''} | ${whenAbsent(setting)} |`
  })
  return ['| Name | Meaning | Form | When absent |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function whenAbsent(setting: Setting): string {
  return 'default' in setting ? setting.default : setting.fallback
}
