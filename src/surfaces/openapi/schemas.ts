import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

export interface SchemaBook {
  /** A reference when the schema has a name. */
  schemaOf(schema: z.ZodType, direction: 'input' | 'output'): JsonSchema
  /** A schema without a name gets this one. */
  referenceTo(name: string, schema: z.ZodType, direction: 'input' | 'output'): JsonSchema
  named(): Record<string, JsonSchema>
}

/** Throws for two different schemas with one name. */
export function createSchemaBook(): SchemaBook {
  const book = new Map<string, JsonSchema>()

  function add(name: string, schema: JsonSchema): JsonSchema {
    const known = book.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two different schemas are named ${name}`)
    book.set(name, schema)
    return { $ref: `#/components/schemas/${name}` }
  }

  function schemaOf(schema: z.ZodType, direction: 'input' | 'output'): JsonSchema {
    // Wrapped, because zod inlines a named schema at the root.
    const { properties, $defs } = z.toJSONSchema(z.object({ it: schema }), { io: direction, target: 'draft-2020-12' })
    for (const [name, definition] of Object.entries($defs ?? {})) add(name, referring(definition as JsonSchema))
    return referring(properties!['it'] as JsonSchema)
  }

  return {
    schemaOf,
    referenceTo(name, schema, direction) {
      const json = schemaOf(schema, direction)
      return '$ref' in json && Object.keys(json).length === 1 ? json : add(name, json)
    },
    named: () => Object.fromEntries([...book].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Points references into the document. */
function referring(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string') return value.replace(/^#\/\$defs\//, '#/components/schemas/')
    return key === '$defs' || key === '$schema' ? undefined : value
  }) as JsonSchema
}
