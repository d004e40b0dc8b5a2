import { SINGLE_FILTERS } from '../../operations/filter-shapes.ts'
import type { JsonSchema, ListedTool, ObjectSchema } from './schemas.ts'

/** The tool that describes the filter of mentions for all tools. */
const FILTER_TOOL = 'search_mentions'

/** `all` names every filter field of a tool; `short` the usual ones, and says less of each field. */
export type ListForm = 'all' | 'short'

const NOTES: Readonly<Record<ListForm, string>> = {
  all: `Filter fields mean what they mean in ${FILTER_TOOL}.`,
  short: `Takes every filter field of ${FILTER_TOOL}, also those that are not named here.`,
}
const USUAL_FIELDS: ReadonlySet<string> = new Set([
  'q',
  'keywordIds',
  'platforms',
  'sentiments',
  'intents',
  'since',
  'until',
])

/** Fields of the filter, as the tool that describes them names them. */
export type FilterFields = ReadonlySet<string>

export function filterFieldsOf(tools: readonly ListedTool[]): FilterFields {
  return new Set(Object.keys(tools.find(({ name }) => name === FILTER_TOOL)?.inputSchema.properties ?? {}))
}

/**
 * The tool as a list shows it: what a model needs to call it. The list of all tools also names the fields of
 * its answer. The operation still checks the bounds that are left out.
 */
export function compactTool(tool: ListedTool, form: ListForm, filterFields: FilterFields): ListedTool {
  const { title: _, ...annotations } = tool.annotations
  const writer = new CompactWriter(form, tool.name === FILTER_TOOL ? new Set() : filterFields)
  const inputSchema = writer.object(tool.inputSchema)
  return {
    ...tool,
    description: writer.hasShortened ? `${tool.description} ${NOTES[form]}` : tool.description,
    inputSchema,
    outputSchema: form === 'all' ? compactOutput(tool.outputSchema) : ANY_OUTPUT,
    annotations,
  }
}

const BOUNDS: ReadonlySet<string> = new Set([
  ...['pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
])
/** Larger bounds only keep numbers in range. */
const TELLING_MAX = 1_000_000

/** Writes one input without what a model does not need. */
class CompactWriter {
  hasShortened = false
  private readonly form: ListForm
  private readonly filterFields: FilterFields

  constructor(form: ListForm, filterFields: FilterFields) {
    this.form = form
    this.filterFields = filterFields
  }

  object(schema: ObjectSchema): ObjectSchema {
    return this.node({ ...schema }) as unknown as ObjectSchema
  }

  private node(schema: JsonSchema): JsonSchema {
    const forms = schema['anyOf'] as JsonSchema[] | undefined
    if (forms?.every(({ type }) => type === 'string' || type === 'integer')) {
      const { anyOf: _, ...rest } = schema
      return this.node({ ...rest, type: 'string' })
    }
    const plain: JsonSchema = {}
    for (const [word, inner] of Object.entries(schema)) {
      if (BOUNDS.has(word) || (word === 'maximum' && Number(inner) > TELLING_MAX)) continue
      if (word === 'properties') Object.assign(plain, this.properties(inner as Record<string, JsonSchema>))
      else if (word === 'items' || isMapOf(word, inner)) plain[word] = this.node(inner as JsonSchema)
      else if (word === 'anyOf') plain[word] = (inner as JsonSchema[]).map((each) => this.node(each))
      else if (word === 'description' && this.form === 'short') plain[word] = firstSentence(String(inner))
      else plain[word] ??= inner
    }
    return plain
  }

  private properties(properties: Record<string, JsonSchema>): JsonSchema {
    if (!isFilter(properties)) return { properties: this.each(properties, () => true) }
    const isKnown = (name: string) => this.filterFields.has(name)
    const isShown = (name: string) =>
      !SINGLE_FILTERS.has(name) && (this.form === 'all' || !isKnown(name) || USUAL_FIELDS.has(name))
    this.hasShortened ||= this.filterFields.size > 0
    const hasMore = this.form === 'short' && this.filterFields.size > 0
    return { properties: this.each(properties, isShown), ...(hasMore ? { additionalProperties: true } : {}) }
  }

  private each(properties: Record<string, JsonSchema>, isShown: (name: string) => boolean): Record<string, JsonSchema> {
    const inFilter = isFilter(properties)
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => isShown(name))
        .map(([name, schema]) => {
          if (inFilter && this.filterFields.has(name)) return [name, bare(schema)]
          return [name, isEcho(name, properties) ? withBareItems(this.node(schema)) : this.node(schema)]
        }),
    )
  }
}

/** Values of any name. */
function isMapOf(word: string, inner: unknown): boolean {
  return word === 'additionalProperties' && typeof inner === 'object'
}

function firstSentence(text: string): string {
  return /^.*?\.(?= [A-Z`])/.exec(text)?.[0] ?? text
}

/** Fields of a filter come together. */
function isFilter(properties: Record<string, JsonSchema>): boolean {
  return 'sentiments' in properties && 'notPlatforms' in properties
}

/** Only what is needed to write a value. */
function bare({ type, anyOf, items }: JsonSchema): JsonSchema {
  if (items !== undefined) return withBareItems({ type: 'array', items })
  return { type: anyOf === undefined ? type : 'string' }
}

/** A list of what is left out takes the values of the list of what is wanted. */
function isEcho(name: string, properties: Record<string, JsonSchema>): boolean {
  const wanted = /^not([A-Z])(\w*)$/.exec(name)
  return wanted !== null && `${wanted[1]!.toLowerCase()}${wanted[2]}` in properties
}

function withBareItems(schema: JsonSchema): JsonSchema {
  return { ...schema, items: { type: (schema['items'] as JsonSchema)['type'] } }
}

const ANY_OUTPUT: ObjectSchema = { type: 'object', properties: {} }

/** Clients read the answer itself; the names and types of its fields say what to expect. */
function compactOutput({ properties }: ObjectSchema): ObjectSchema {
  const types = Object.entries(properties).map(([name, { type }]) => [name, type === undefined ? {} : { type }])
  return { type: 'object', properties: Object.fromEntries(types) }
}
