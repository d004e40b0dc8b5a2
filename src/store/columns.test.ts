import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useWorld } from '../../test/use-world.ts'
import { dayOf } from '../kernel/clock.ts'
import { newUuid, type Uuid } from '../kernel/ids.ts'
import { columns, createBigints } from './columns.ts'

const world = useWorld()

/** What the database takes the column for, element by element. */
async function taken<Value>(type: string, column: Buffer): Promise<Value[]> {
  const rows = await world.db.run<{ value: Value }>(
    `columns-${type}`,
    `select value from unnest($1::${type}[]) with ordinality as t (value, place) order by place`,
    [column],
  )
  return rows.map(({ value }) => value)
}

// PostgreSQL takes no NUL in a text, and jsonb no half of a character.
const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((value) => !value.includes('\0'))
const millisecond = fc.date({
  min: new Date('1900-01-01T00:00:00Z'),
  max: new Date('2200-01-01T00:00:00Z'),
  noInvalidDate: true,
})
const uuid = fc.uuid() as fc.Arbitrary<Uuid>
const json = fc.option(
  fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))).map((value) => ({ ...value })),
)

test.each([
  ['uuid', fc.array(uuid), (values: unknown) => columns.uuids(values as Uuid[])],
  [
    'smallint',
    fc.array(fc.option(fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 }))),
    (values: unknown) => columns.smallints(values as number[]),
  ],
  ['int', fc.array(fc.option(fc.integer())), (values: unknown) => columns.integers(values as number[])],
  ['float8', fc.array(fc.option(fc.double({ noNaN: true }))), (values: unknown) => columns.doubles(values as number[])],
  ['boolean', fc.array(fc.boolean()), (values: unknown) => columns.booleans(values as boolean[])],
  ['timestamptz', fc.array(millisecond), (values: unknown) => columns.instants(values as Date[])],
  ['text', fc.array(fc.option(text)), (values: unknown) => columns.texts(values as string[])],
  ['jsonb', fc.array(json), (values: unknown) => columns.jsons(values as unknown[])],
] as const)('a column of %s is taken for what it was', async (type, arbitrary, column) => {
  await fc.assert(
    fc.asyncProperty(arbitrary as fc.Arbitrary<unknown[]>, async (values) => {
      expect(await taken(type, column(values))).toEqual(values)
    }),
    { numRuns: 60 },
  )
})

test('a column of dates is taken for the days of its instants', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(millisecond), async (values) => {
      expect(await taken('date', columns.dates(values))).toEqual(values.map(dayOf))
    }),
    { numRuns: 60 },
  )
})

test('a column of bigints grows as far as it must and is taken for what was added', async () => {
  const bigints = createBigints()
  expect(await taken('bigint', bigints.column())).toEqual([])
  const values = Array.from({ length: 5000 }, (_, at) => (at % 2 === 0 ? 1 : -1) * at * 1_000_003)
  for (const value of values) bigints.add(Number(BigInt.asIntN(32, BigInt(value) >> 32n)), value | 0)
  expect(bigints.length).toBe(5000)
  expect(await taken('bigint', bigints.column())).toEqual(values.map((value) => (Object.is(value, -0) ? 0 : value)))
})

test('an id of ours keeps its order as the database sees it', async () => {
  const ids = [newUuid(new Date(0)), newUuid(new Date(1))]
  expect(await taken('uuid', columns.uuids(ids))).toEqual(ids)
})
