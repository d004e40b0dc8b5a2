import type { Flag, FlagKind } from '../../src/cli/kit/flags.ts'
import { WITH_FLAGS } from '../../src/cli/kit/operation-flags.ts'
import { CATALOGUE } from '../../src/operations/catalogue.ts'
import { type JsonSchema, portableSchema } from '../../src/surfaces/mcp/schemas.ts'

/** The command line counts and pages by itself. */
const OWN = new Set(['limit', 'cursor', 'offset', 'requestId'])

/** Flags of commands, so that no filter of an operation is written twice. A line each, as `flagsOf` reads them. */
export function flagsFile(): string {
  const lines = WITH_FLAGS.flatMap((id) => {
    const { query, body, hasBody } = CATALOGUE.find((operation) => operation.id === id)!
    const properties = {
      ...portableSchema(query, 'input').properties,
      ...(hasBody ? portableSchema(body, 'input').properties : {}),
    }
    return flagsIn(properties).map(({ field, kind, about, choices = [] }) =>
      [id, field, kind, about.replaceAll('|', '/'), choices.join(',')].join('|'),
    )
  })
  return `${lines.join('\n')}\n`
}

function flagsIn(properties: Readonly<Record<string, JsonSchema>>, parent = ''): Flag[] {
  return Object.entries(properties).flatMap(([name, schema]): Flag[] => {
    const field = parent === '' ? name : `${parent}.${name}`
    // The singular names are other spellings of the plural ones.
    if (OWN.has(name) || `${name}s` in properties) return []
    const branches = ((schema['anyOf'] ?? [schema]) as JsonSchema[]).filter(({ type }) => type !== 'null')
    const inner = branches.find(({ type }) => type === 'object')?.['properties'] as
      | Record<string, JsonSchema>
      | undefined
    if (inner !== undefined && parent === '') return flagsIn(inner, name)
    return [flagOf(field, branches, String(schema['description'] ?? ''))]
  })
}

function flagOf(field: string, branches: readonly JsonSchema[], description: string): Flag {
  const first = branches[0] ?? {}
  const items = (first['items'] ?? first) as JsonSchema
  const choices = items['enum'] as string[] | undefined
  return {
    field,
    kind: kindOf(branches, items),
    about: aboutOf(description),
    ...(choices !== undefined && { choices: choices.filter((choice) => choice !== null).map(String) }),
  }
}

/** The first sentence. A list of values is told by the choices. */
function aboutOf(description: string): string {
  return description.startsWith('`') ? '' : description.split(/(?<=\.)\s/)[0]!.replace(/[.:]$/, '')
}

function kindOf(branches: readonly JsonSchema[], items: JsonSchema): FlagKind {
  const types = branches.flatMap(({ type }) => [type].flat()).filter((type) => type !== 'null')
  if (types.includes('array')) {
    if (items['type'] === 'object' || items['anyOf'] !== undefined) return 'json'
    return items['enum'] !== undefined || items['pattern'] !== undefined || items['type'] !== 'string'
      ? 'list'
      : 'texts'
  }
  if (types.includes('integer') && types.includes('string')) return 'time'
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('number') || types.includes('integer')) return 'number'
  return 'text'
}
