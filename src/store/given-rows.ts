import type { Uuid } from '../kernel/ids.ts'
import { columns } from './columns.ts'
import { type Statement, sql } from './database.ts'

export interface GivenColumn<Row> {
  type: string
  /** The type to cast to on reading, when a parameter cannot have it. */
  cast?: string
  encode(rows: readonly Row[]): unknown
}

type Read<Row, Value> = (row: Row) => Value | null

export const given = {
  uuid: <Row>(read: Read<Row, Uuid>) => column<Row>('uuid', (rows) => columns.uuids(rows.map(read))),
  smallint: <Row>(read: Read<Row, number>) => column<Row>('smallint', (rows) => columns.smallints(rows.map(read))),
  integer: <Row>(read: Read<Row, number>) => column<Row>('int', (rows) => columns.integers(rows.map(read))),
  double: <Row>(read: Read<Row, number>) => column<Row>('float8', (rows) => columns.doubles(rows.map(read))),
  boolean: <Row>(read: Read<Row, boolean>) => column<Row>('boolean', (rows) => columns.booleans(rows.map(read))),
  instant: <Row>(read: Read<Row, Date>) => column<Row>('timestamptz', (rows) => columns.instants(rows.map(read))),
  text: <Row>(read: Read<Row, string>) => column<Row>('text', (rows) => columns.texts(rows.map(read))),
  json: <Row>(read: (row: Row) => unknown) => column<Row>('jsonb', (rows) => columns.jsons(rows.map(read))),
  // Encoded by the driver, for paths that are not hot.
  bigint: <Row>(read: Read<Row, number>) => column<Row>('bigint', (rows) => rows.map(read)),
  /** A day (UTC, YYYY-MM-DD). */
  day: <Row>(read: Read<Row, string>) => column<Row>('date', (rows) => rows.map(read)),
  bytes: <Row>(read: Read<Row, Buffer>) => column<Row>('bytea', (rows) => rows.map(read)),
  /** Type json, which keeps the order of keys. */
  writtenJson: <Row>(read: (row: Row) => unknown) =>
    column<Row>('json', (rows) => rows.map((row) => JSON.stringify(read(row)))),
  /** An array of arrays cannot hold lists of different lengths. */
  texts: <Row>(read: (row: Row) => readonly string[]): GivenColumn<Row> => ({
    type: 'text',
    cast: 'text[]',
    encode: (rows) => columns.texts(rows.map((row) => arrayLiteral(read(row)))),
  }),
}

function column<Row>(type: string, encode: (rows: readonly Row[]) => unknown): GivenColumn<Row> {
  return { type, encode }
}

/**
 * Column list, `unnest` and values of one statement's rows, from one record. Parameters count from `first`; the
 * statement's own begin at `after`.
 */
export class GivenRows<Row, Made extends string = never> {
  /** `id, platform, ...` */
  readonly names: string
  /** `names` with their casts. */
  readonly selected: string
  /** `unnest($1::uuid[], ...) as t (id, ...)` */
  readonly unnested: string
  /** `unnested` with each row's position, from 1, as `place`. */
  readonly placed: string
  readonly after: number
  private readonly read: readonly GivenColumn<Row>[]
  private readonly made: readonly Made[]
  private readonly types: readonly string[]

  /** `made`: columns that no row has, by type; they come last. */
  constructor(
    record: Readonly<Record<string, GivenColumn<Row>>>,
    made: Readonly<Record<Made, string>> = {} as Readonly<Record<Made, string>>,
    first = 1,
  ) {
    this.read = Object.values(record)
    this.made = Object.keys(made) as Made[]
    this.types = [...this.read.map(({ type }) => type), ...this.made.map((name) => made[name])]
    const cast = Object.entries(record).map(([name, one]) => (one.cast === undefined ? name : `${name}::${one.cast}`))
    this.names = [...Object.keys(record), ...this.made].join(', ')
    this.selected = [...cast, ...this.made].join(', ')
    const parts = `unnest(${this.types.map((type, at) => `$${first + at}::${type}[]`).join(', ')})`
    this.unnested = `${parts} as t (${this.names})`
    this.placed = `${parts} with ordinality as t (${this.names}, place)`
    this.after = first + this.types.length
  }

  values(rows: readonly Row[], ...[made]: [Made] extends [never] ? [] : [Readonly<Record<Made, unknown>>]): unknown[] {
    return [...this.read.map((one) => one.encode(rows)), ...this.made.map((name) => made![name])]
  }

  /** `unnested` with these rows, for composed statements. */
  of(this: GivenRows<Row>, rows: readonly Row[]): Statement<unknown> {
    return sql`${this.parts(rows)} as t (${sql.raw(this.names)})`
  }

  /** `placed` with these rows, for composed statements. */
  placedOf(this: GivenRows<Row>, rows: readonly Row[]): Statement<unknown> {
    return sql`${this.parts(rows)} with ordinality as t (${sql.raw(this.names)}, place)`
  }

  private parts(this: GivenRows<Row>, rows: readonly Row[]): Statement<unknown> {
    const values = this.values(rows).map((value, at) => sql`${value}::${sql.raw(this.types[at]!)}[]`)
    return sql`unnest(${sql.join(values)})`
  }
}

/** Single values of a statement, by name. */
export class GivenValues<Name extends string> {
  /** `$7` by name. */
  readonly the: Readonly<Record<Name, string>>
  readonly after: number
  private readonly names: readonly Name[]

  /** `first`: the number of the first parameter. */
  constructor(names: readonly Name[], first = 1) {
    this.names = names
    this.the = Object.fromEntries(names.map((name, place) => [name, `$${first + place}`])) as Record<Name, string>
    this.after = first + names.length
  }

  values(values: Readonly<Record<Name, unknown>>): unknown[] {
    return this.names.map((name) => values[name])
  }
}

/** `$1, $2, ...` */
export function parameters(count: number): string {
  return Array.from({ length: count }, (_, at) => `$${at + 1}`).join(', ')
}

function arrayLiteral(values: readonly string[]): string {
  return values.length === 0 ? '{}' : `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
