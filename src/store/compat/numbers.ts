import type { Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { GivenRows, given } from '../given-rows.ts'

export type NumberedKind = 'mention' | 'keyword' | 'view' | 'company'

export interface Numbered {
  kind: NumberedKind
  id: Uuid
}

/** Things without a number are absent. Prepared, because planning took longer than reading. */
export async function readNumbers(reader: Reader, workspaceId: Uuid, ids: readonly Uuid[]): Promise<Map<Uuid, number>> {
  const rows = await reader.run<{ id: Uuid; number: number }>(
    'compat-numbers',
    'select id, number from compat_number where workspace_id = $1::uuid and id = any($2::uuid[])',
    [workspaceId, columns.uuids(ids)],
  )
  return new Map(rows.map(({ id, number }) => [id, number]))
}

const WANTED = new GivenRows<Numbered>({ id: given.uuid(({ id }) => id), kind: given.text(({ kind }) => kind) })

/**
 * The sequence is locked before any number is written, so that requests for the same things wait for each other; the
 * later one finds the numbers and leaves a gap.
 */
export async function assignNumbers(
  tx: Transaction,
  workspaceId: Uuid,
  things: readonly Numbered[],
): Promise<Map<Uuid, number>> {
  const rows = await tx.query<{ id: Uuid; number: number }>(sql`
    with wanted as (select t.id, t.kind, t.place from ${WANTED.placedOf(things)}),
    known as (
      select n.id, n.number from compat_number n
      where n.workspace_id = ${workspaceId} and n.id in (select id from wanted)),
    missing as (
      select w.id, w.kind, row_number() over (order by w.place) as place
      from wanted w where w.id not in (select id from known)),
    taken as (
      insert into compat_sequence (workspace_id, last) select ${workspaceId}::uuid, count(*) from missing
      on conflict (workspace_id) do update set last = compat_sequence.last + excluded.last
      returning last),
    assigned as (
      insert into compat_number (workspace_id, id, kind, number)
      select ${workspaceId}::uuid, m.id, m.kind, taken.last - (select count(*) from missing) + m.place
      from missing m, taken
      on conflict (workspace_id, id) do update set number = compat_number.number
      returning id, number)
    select id, number from known union all select id, number from assigned`)
  return new Map(rows.map(({ id, number }) => [id, number]))
}

/** Numbers of other things, and of nothing, are absent. */
export async function findNumbered(
  reader: Reader,
  workspaceId: Uuid,
  kind: NumberedKind,
  numbers: readonly number[],
): Promise<Map<number, Uuid>> {
  const rows = await reader.query<{ id: Uuid; number: number }>(sql`
    select id, number from compat_number
    where workspace_id = ${workspaceId} and kind = ${kind} and number = any(${numbers}::bigint[])`)
  return new Map(rows.map(({ id, number }) => [number, id]))
}
