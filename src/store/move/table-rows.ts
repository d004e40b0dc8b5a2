import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, type Statement, sql, type Transaction } from '../database.ts'
import { ORDERED_BY, SEALED_COLUMNS, type TableOfWorkspace, UNMOVED_COLUMNS, USER_COLUMNS } from './moved-tables.ts'

/** What has another name at the other cell, by its name here. */
export interface Renamed {
  users: Readonly<Record<Uuid, Uuid>>
  places: Readonly<Record<Uuid, Uuid>>
  /** The audience of OAuth tokens. */
  resource: { here: string; there: string }
}

export const NOTHING_RENAMED: Renamed = { users: {}, places: {}, resource: { here: '', there: '' } }

export interface TableShape {
  table: TableOfWorkspace
  /** Without what each cell numbers or sets itself. */
  columns: readonly string[]
  /** The primary key without the workspace, with its types. */
  key: readonly { name: string; type: string }[]
  /** Whether the server numbers the rows. */
  numbered: boolean
}

export async function readShape(reader: Reader, table: TableOfWorkspace): Promise<TableShape> {
  const rows = await reader.query<{ name: string; type: string; numbered: boolean; place: number | null }>(sql`
    select a.attname as name, format_type(a.atttypid, null) as type, a.attidentity <> '' as numbered,
      array_position(i.indkey::int2[], a.attnum) as place
    from pg_attribute a join pg_index i on i.indrelid = a.attrelid and i.indisprimary
    where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`)
  const unmoved = UNMOVED_COLUMNS[table] ?? []
  return {
    table,
    columns: rows.filter(({ name, numbered }) => !numbered && !unmoved.includes(name)).map(({ name }) => name),
    key: rows
      .filter(({ name, place }) => place !== null && name !== 'workspace_id' && !unmoved.includes(name))
      .sort((a, b) => a.place! - b.place!)
      .map(({ name, type }) => ({ name, type })),
    numbered: ORDERED_BY[table] !== undefined || rows.some(({ numbered, place }) => numbered && place !== null),
  }
}

/** Values of a key as texts; empty for the first row. */
export type Place = readonly string[]

export interface Portion {
  /** Rows as JSON texts, which keep every digit. */
  lines: string[]
  last: Place
}

export async function readPortion(
  reader: Reader,
  shape: TableShape,
  workspaceId: Uuid,
  { after, limit, renamed }: { after: Place; limit: number; renamed: Renamed },
): Promise<Portion> {
  const rows = await reader.query<{ line: string; place: string[] }>(sql`
    select row_to_json(x)::text as line, place from (
      select ${valuesOf(shape.table, shape.columns, renamed)}, ${placeOf(shape)} as place
      from ${rowsAfter(shape, workspaceId, after)} limit ${limit}) p,
    lateral (select ${namesIn(shape.columns, 'p')}) x`)
  return { lines: rows.map(({ line }) => line), last: rows.at(-1)?.place ?? after }
}

/** All rows of a numbered table, in order. */
export async function readNumbered(
  reader: Reader,
  { table, columns, key }: TableShape,
  workspaceId: Uuid,
  renamed: Renamed,
): Promise<string[]> {
  const by = ORDERED_BY[table] ?? key.at(-1)!.name
  const rows = await reader.query<{ line: string }>(sql`
    select row_to_json(x)::text as line from (
      select ${valuesOf(table, columns, renamed)}, ${sql.ref(`t.${by}`)} as number from ${sql.table(table)} t
      where workspace_id = ${workspaceId}) p, lateral (select ${namesIn(columns, 'p')}) x order by number`)
  return rows.map(({ line }) => line)
}

/** The last key of the workspace's rows; empty if it has none. */
export async function lastPlace(reader: Reader, shape: TableShape, workspaceId: Uuid): Promise<Place> {
  const [row] = await reader.query<{ place: string[] }>(sql`
    select ${placeOf(shape)} as place from ${sql.table(shape.table)} t where workspace_id = ${workspaceId}
    order by ${orderOf(shape, ' desc')} limit 1`)
  return row?.place ?? []
}

/** Whether rows of other tables refer to rows of this one. */
export async function isReferred(reader: Reader, table: TableOfWorkspace): Promise<boolean> {
  const rows = await reader.query(
    sql`select from pg_constraint where contype = 'f' and confrelid = ${table}::regclass limit 1`,
  )
  return rows.length > 0
}

export async function countRows(reader: Reader, table: TableOfWorkspace, workspaceId: Uuid): Promise<number> {
  const [row] = await reader.query<{ count: number }>(
    sql`select count(*) from ${sql.table(table)} where workspace_id = ${workspaceId}`,
  )
  return row!.count
}

export async function insertLines(tx: Transaction, shape: TableShape, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  const names = namesIn(shape.columns)
  await tx.query(sql`
    insert into ${sql.table(shape.table)} (${names})
    select ${names} from json_populate_recordset(null::${sql.table(shape.table)}, ${`[${lines.join(',')}]`}::json)`)
}

export interface Digest {
  rows: number
  /** Sums of the halves of each row's MD5: equal for equal rows in any order. */
  sums: [bigint, bigint]
}

/** A digest of one portion; secrets are left out. `last` is null behind the last portion. */
export async function digestPortion(
  reader: Reader,
  shape: TableShape,
  workspaceId: Uuid,
  { after, limit, renamed }: { after: Place; limit: number; renamed: Renamed },
): Promise<Digest & { last: Place | null }> {
  const compared = shape.columns.filter((name) => SEALED_COLUMNS[shape.table] !== name)
  const [row] = await reader.query<{ rows: number; high: string | null; low: string | null; last: string[] | null }>(
    sql`
    with part as materialized (
        select ${valuesOf(shape.table, compared, renamed, WITHOUT_SEALED)}, ${placeOf(shape)} as place
        from ${rowsAfter(shape, workspaceId, after)} limit ${limit}),
      hashed as (select md5(row_to_json(x)::text) as hash from part p, lateral (select ${namesIn(compared, 'p')}) x)
    select count(*) as rows, sum(('x' || left(hash, 16))::bit(64)::bigint)::text as high,
      sum(('x' || right(hash, 16))::bit(64)::bigint)::text as low,
      (select place from part offset ${limit - 1}) as last from hashed`,
  )
  return { rows: row!.rows, sums: [BigInt(row!.high ?? 0), BigInt(row!.low ?? 0)], last: row!.last }
}

/** `t`: rows behind a place, in order of the key. */
function rowsAfter(shape: TableShape, workspaceId: Uuid, after: Place): Statement<unknown> {
  const bounds = shape.key.map(({ type }, at) => sql`${after[at]}::${sql.raw(type)}`)
  const behind = after.length === 0 ? sql`true` : sql`(${orderOf(shape, '')}) > (${sql.join(bounds)})`
  return sql`
    ${sql.table(shape.table)} t where workspace_id = ${workspaceId} and ${behind}
    order by ${orderOf(shape, '')}`
}

const WITHOUT_SEALED: Readonly<Record<string, Statement<unknown>>> = {
  'channel.config': sql`t.config - 'headersSealed'`,
}

function valuesOf(
  table: TableOfWorkspace,
  columns: readonly string[],
  renamed: Renamed,
  instead: Readonly<Record<string, Statement<unknown>>> = {},
): Statement<unknown> {
  const value = (name: string) => instead[`${table}.${name}`] ?? movedValue(table, name, renamed)
  return sql.join(columns.map((name) => sql`${value(name)} as ${sql.ref(name)}`))
}

function movedValue(table: TableOfWorkspace, name: string, { users, places, resource }: Renamed): Statement<unknown> {
  const column = sql`t.${sql.ref(name)}`
  const renamedBy = (names: Readonly<Record<Uuid, Uuid>>) =>
    Object.keys(names).length === 0
      ? column
      : sql`coalesce((${JSON.stringify(names)}::jsonb ->> ${column}::text)::uuid, ${column})`
  if (USER_COLUMNS[table] === name) return renamedBy(users)
  if (table === 'workspace_place' && name === 'place_id') return renamedBy(places)
  if (table === 'oauth_grant' && name === 'resource' && resource.here !== resource.there)
    return sql`case when ${column} = ${resource.here} then ${resource.there} else ${column} end`
  return column
}

function placeOf({ key }: TableShape): Statement<unknown> {
  return sql`array[${sql.join(key.map(({ name }) => sql`t.${sql.ref(name)}::text`))}]::text[]`
}

/** Texts by their bytes, because databases may sort them differently. */
function orderOf({ key }: TableShape, direction: '' | ' desc'): Statement<unknown> {
  if (key.length === 0) return sql`t.workspace_id`
  return sql.join(
    key.map(({ name, type }) => sql.raw(`t."${name}"${type === 'text' ? ' collate "C"' : ''}${direction}`)),
  )
}

function namesIn(columns: readonly string[], of?: string): Statement<unknown> {
  return sql.join(columns.map((name) => sql.ref(of === undefined ? name : `${of}.${name}`)))
}
