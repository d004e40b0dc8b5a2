import { expect, test } from 'vitest'
import type { z } from 'zod'
import { CATALOGUE } from './catalogue.ts'

/** What null cannot clear, by the name of the field, and why. */
const NEVER_EMPTY: Record<string, string> = {
  name: 'Everything that has a name goes by it.',
  ifVersion: 'It is a condition of the change, and nothing that is kept.',
  ids: 'It says what is changed.',
  filter: 'It says what is changed.',
  expectedCount: 'It is a condition of the change, and nothing that is kept.',
  add: 'It says what is added, and nothing that is kept.',
  remove: 'It says what is taken away, and nothing that is kept.',
  role: 'Every member has one.',
  kind: 'Every keyword is of one.',
  groupId: 'Every keyword belongs to a group.',
  muted: 'It is true or false.',
  enabled: 'It is true or false.',
  status: 'Every mention has one.',
  mode: 'Every rule has one, and needs a schedule by it.',
  url: 'A channel without an address reaches nobody.',
  emails: 'A channel without recipients reaches nobody.',
  thresholdCents: 'A recharge that is on needs it.',
  amountCents: 'A recharge that is on needs it.',
}
/** A field of a name that stands above, and may be empty all the same. */
const MAY_BE_EMPTY = ['update-company.name', 'update-alert.filter', 'update-view.filter', 'update-segment.filter']

/**
 * Objects that hold no fields which stay when they are absent: a change replaces them as a whole, or they are orders.
 */
const WHOLE = ['filter', 'schedule', 'cap', 'add', 'remove']

/** The fields of an object or of all forms of a union, or undefined when it is neither. */
function fieldsOf(schema: z.ZodType): Record<string, z.ZodType> | undefined {
  const { def } = schema as unknown as {
    def: {
      type: string
      innerType?: z.ZodType
      in?: z.ZodType
      shape?: Record<string, z.ZodType>
      options?: z.ZodType[]
    }
  }
  if (def.type === 'object') return def.shape
  if (def.options !== undefined) return Object.assign({}, ...def.options.map(fieldsOf))
  const inner = def.innerType ?? def.in
  return inner && fieldsOf(inner)
}

function* changeableIn(fields: Record<string, z.ZodType>, path = ''): Generator<[string, z.ZodType]> {
  for (const [name, field] of Object.entries(fields)) {
    yield [`${path}${name}`, field]
    const inner = WHOLE.includes(name) ? undefined : fieldsOf(field)
    if (inner) yield* changeableIn(inner, `${path}${name}.`)
  }
}

const CHANGES = CATALOGUE.filter(({ method }) => method === 'PATCH')

test.each(CHANGES.map((operation) => [operation.id, operation.body as z.ZodType] as const))(
  'every field of %s can be cleared by null or is never empty',
  (id, body) => {
    const fields = [...changeableIn(fieldsOf(body)!)]
    expect(fields.length).toBeGreaterThan(0)
    for (const [name, field] of fields) {
      const refuses = NEVER_EMPTY[name] !== undefined && !MAY_BE_EMPTY.includes(`${id}.${name}`)
      expect([name, field.safeParse(null).success]).toEqual([name, !refuses])
    }
  },
)

test('every reason is needed', () => {
  const names = new Set(
    CHANGES.flatMap(({ body }) => [...changeableIn(fieldsOf(body as z.ZodType)!)].map(([name]) => name)),
  )
  expect(Object.keys(NEVER_EMPTY).filter((name) => !names.has(name))).toEqual([])
})
