import { type Command, InvalidArgumentError, Option } from 'commander'
import { instantOf } from '../terminal/times.ts'

export const FLAG_KINDS = ['text', 'texts', 'list', 'number', 'boolean', 'time', 'json'] as const
export type FlagKind = (typeof FLAG_KINDS)[number]

/** One input of an operation. */
export interface Flag {
  /** As the operation names it; fields within an object are joined with a dot. */
  field: string
  kind: FlagKind
  about: string
  choices?: readonly string[]
}

export interface FlagChoice {
  /** Fields that the command gives in another way. */
  without?: readonly string[]
  heading?: string
}

type Values = Readonly<Record<string, unknown>>

/** Adds a flag for each input of an operation. */
export function addFlags(
  command: Command,
  flags: readonly Flag[],
  { without = [], heading }: FlagChoice = {},
): Command {
  for (const flag of flags.filter(({ field }) => !without.includes(field))) {
    for (const option of optionsOf(flag)) {
      if (heading !== undefined) option.helpGroup(heading)
      command.addOption(option)
    }
  }
  return command
}

function optionsOf(flag: Flag): Option[] {
  const name = flagName(flag)
  if (flag.kind === 'boolean') {
    const [, whenTrue = aboutOf(flag), whenFalse = `not --${name}`] =
      /^true for (.+); false for (.+)$/i.exec(flag.about) ?? []
    return [new Option(`--${name}`, whenTrue), new Option(`--no-${name}`, whenFalse)]
  }
  const option = new Option(`--${name} <${PLACEHOLDERS[flag.kind]}>`, aboutOf(flag))
  return [option.argParser((text: string, before?: unknown) => readValue(flag, text, before))]
}

const PLACEHOLDERS: Readonly<Record<Exclude<FlagKind, 'boolean'>, string>> = {
  text: 'text',
  texts: 'text',
  list: 'a,b',
  number: 'n',
  time: 'time',
  json: 'json',
}

function aboutOf({ about, choices, kind }: Flag): string {
  const shown = choices === undefined ? '' : choices.join(', ')
  const time = kind === 'time' ? 'ISO 8601, or back from now such as 7d, 12h, 30m' : ''
  const facts = [about, shown === '' ? '' : `one of ${shown}`, time].filter((text) => text !== '')
  return facts.map((text, at) => (at === 0 ? text.charAt(0).toLowerCase() + text.slice(1) : text)).join('; ')
}

function readValue({ kind }: Flag, text: string, before: unknown): unknown {
  const earlier = Array.isArray(before) ? before : []
  if (kind === 'texts') return [...earlier, text]
  if (kind === 'list') return [...earlier, ...text.split(',').map((item) => item.trim())]
  if (kind === 'json') return jsonOf(text)
  if (kind !== 'number') return text
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('must be a number')
  return Number(text)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new InvalidArgumentError('must be JSON')
    throw error
  }
}

/** The input of the operation that the flags give. */
export function inputOf(flags: readonly Flag[], values: Values, now: Date): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const flag of flags) {
    const value = values[attributeOf(flag)]
    if (value === undefined) continue
    const [outer, inner] = flag.field.split('.') as [string, string?]
    const given = flag.kind === 'time' && typeof value === 'string' ? instantOf(value, now) : value
    if (inner === undefined) input[outer] = given
    else input[outer] = { ...(input[outer] as object | undefined), [inner]: given }
  }
  return input
}

/** `matching.requiredTerms` is `--required-terms`, and `cap.mentions` is `--cap-mentions`. */
export function flagName({ field }: Flag): string {
  return field
    .replace(/^matching\./, '')
    .replace('.', '-')
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** As commander names the value of an option. */
function attributeOf(flag: Flag): string {
  return flagName(flag).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
