import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

/** Collects the named schemas of a document while operations are turned into entries of it. */
export interface SchemaBook {
  /** The JSON Schema of what callers send or receive; a reference when it has a name of its own. */
  schemaOf(schema: z.ZodType, direction: 'input' | 'output'): JsonSchema
  /** As `schemaOf`, but always a reference: a schema without name gets this one. */
  referenceTo(name: string, schema: z.ZodType, direction: 'input' | 'output'): JsonSchema
  /** All named schemas so far, by name. */
  named(): Record<string, JsonSchema>
}

/** An empty book. Two different schemas under one name are a defect and throw. */
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
    // Wrapped, because a schema at the root is written out even when it has a name.
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

/** The same schema with references into the document instead of into itself. */
function referring(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string') return value.replace(/^#\/\$defs\//, '#/components/schemas/')
    return key === '$defs' || key === '$schema' ? undefined : value
  }) as JsonSchema
}
