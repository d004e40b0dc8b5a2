import type { Uuid } from '../kernel/ids.ts'
import { columns } from './columns.ts'

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
 * Column list, `unnest` and values of one statement's rows, from one record. The statement's own parameters begin at
 * `after`.
 */
export class GivenRows<Row, Made extends string = never> {
  /** `id, platform, ...` */
  readonly names: string
  /** `names` with their casts. */
  readonly selected: string
  /** `unnest($1::uuid[], ...) as t (id, ...)` */
  readonly unnested: string
  readonly after: number
  private readonly read: readonly GivenColumn<Row>[]
  private readonly made: readonly Made[]

  /** `made`: columns that no row has, by type; they come last. */
  constructor(
    record: Readonly<Record<string, GivenColumn<Row>>>,
    made: Readonly<Record<Made, string>> = {} as Readonly<Record<Made, string>>,
  ) {
    this.read = Object.values(record)
    this.made = Object.keys(made) as Made[]
    const types = [...this.read.map(({ type }) => type), ...this.made.map((name) => made[name])]
    const cast = Object.entries(record).map(([name, column]) =>
      column.cast === undefined ? name : `${name}::${column.cast}`,
    )
    this.names = [...Object.keys(record), ...this.made].join(', ')
    this.selected = [...cast, ...this.made].join(', ')
    this.unnested = `unnest(${types.map((type, at) => `$${at + 1}::${type}[]`).join(', ')}) as t (${this.names})`
    this.after = types.length + 1
  }

  values(rows: readonly Row[], made: Readonly<Record<Made, unknown>>): unknown[] {
    return [...this.read.map((column) => column.encode(rows)), ...this.made.map((name) => made[name])]
  }
}

/** `$1, $2, ...` */
export function parameters(count: number): string {
  return Array.from({ length: count }, (_, at) => `$${at + 1}`).join(', ')
}

/** PostgreSQL's text form of a text array. */
function arrayLiteral(values: readonly string[]): string {
  return values.length === 0 ? '{}' : `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
