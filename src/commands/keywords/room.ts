import { KEYWORD_LIMITS } from '../../domain/keyword/keyword.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { KEYWORD_DAY } from '../../domain/wallet/prices.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../../store/database.ts'
import { readFunds } from '../../store/workspace/workspaces.ts'
import type { WritingContext } from '../writing.ts'

export const NOT_ENOUGH = 'The balance does not cover one day of all running keywords and this one. Top up first.'

export const TERM_TAKEN = 'The group already has a keyword with this term.'

export function duplicateOf(existing: Uuid): Refusal<'duplicate_keyword'> {
  return refuse('duplicate_keyword', TERM_TAKEN, { existingId: toId('kw', existing) })
}

interface Wanted {
  id: Uuid
  /** Absent means the default group. */
  groupId: Uuid | undefined
  folded: string
  muted: boolean
}

interface State {
  total: number
  welcomeLimits: boolean
  defaultGroupId: Uuid | null
  groupIds: ReadonlySet<Uuid>
  /** By group and folded term. */
  terms: Map<string, Uuid>
  /** Balance beyond one more day of all running keywords; null when unmetered. */
  spare: number | null
}

/** Decides which new keywords fit into a workspace, one by one. */
export class KeywordRoom {
  private constructor(private readonly state: State) {}

  static async read(
    reader: Reader,
    { workspaceId, billing }: WritingContext,
    wanted: readonly Pick<Wanted, 'groupId' | 'folded'>[],
  ): Promise<KeywordRoom> {
    const [counted] = await reader.query<{ total: number; welcome_limits: boolean }>(sql`
      select (select count(*) from keyword where workspace_id = w.id) as total, w.welcome_limits from workspace w
        where w.id = ${workspaceId}`)
    const named = wanted.flatMap(({ groupId }) => groupId ?? [])
    const groups = await reader.query<{ id: Uuid; is_default: boolean }>(sql`
      select id, is_default from keyword_group where workspace_id = ${workspaceId} and (is_default
        or id = any(${named}::uuid[]))`)
    const taken = await reader.query<{ id: Uuid; group_id: Uuid; term_folded: string }>(sql`
      select id, group_id, term_folded from keyword where workspace_id = ${workspaceId}
        and group_id = any(${groups.map(({ id }) => id)}::uuid[])
         and term_folded = any(${wanted.map(({ folded }) => folded)}::text[])`)
    const funds = billing === 'metered' ? await readFunds(reader, workspaceId) : null
    return new KeywordRoom({
      total: counted?.total ?? 0,
      welcomeLimits: counted?.welcome_limits ?? false,
      defaultGroupId: groups.find(({ is_default }) => is_default)?.id ?? null,
      groupIds: new Set(groups.map(({ id }) => id)),
      terms: new Map(taken.map(({ id, group_id, term_folded }) => [placeOf(group_id, term_folded), id])),
      spare: funds && funds.effective - funds.nextDay,
    })
  }

  get welcomeLimits(): boolean {
    return this.state.welcomeLimits
  }

  /** Returns the group and counts the keyword, or refuses. */
  take({
    id,
    groupId,
    folded,
    muted,
  }: Wanted): Uuid | Refusal<'keyword_limit_reached' | 'not_found' | 'insufficient_balance' | 'duplicate_keyword'> {
    const { state } = this
    if (state.total >= KEYWORD_LIMITS.perWorkspace)
      return refuse(
        'keyword_limit_reached',
        `The workspace has ${KEYWORD_LIMITS.perWorkspace} keywords, which is the limit`,
      )
    const group = groupId ?? state.defaultGroupId
    if (group === null || !state.groupIds.has(group))
      return refuse('not_found', 'This workspace has no group with this id.')
    if (!muted && state.spare !== null && state.spare < KEYWORD_DAY) return refuse('insufficient_balance', NOT_ENOUGH)
    const existing = state.terms.get(placeOf(group, folded))
    if (existing !== undefined) return duplicateOf(existing)
    state.total += 1
    state.terms.set(placeOf(group, folded), id)
    if (!muted && state.spare !== null) state.spare -= KEYWORD_DAY
    return group
  }
}

function placeOf(groupId: Uuid, folded: string): string {
  return `${groupId} ${folded}`
}

/** Locks existing groups, or the default one. Call before locking counters, keywords and workspaces. */
export async function holdGroups(
  tx: Transaction,
  workspaceId: Uuid,
  groupIds: readonly (Uuid | undefined)[],
): Promise<void> {
  const named = groupIds.flatMap((id) => id ?? [])
  const withDefault = groupIds.includes(undefined)
  await tx.query(sql`
    select from keyword_group where workspace_id = ${workspaceId} and (id = any(${named}::uuid[]) or (is_default
      and ${withDefault}::boolean)) order by id for share`)
}

export async function findByTerm(
  reader: Reader,
  workspaceId: Uuid,
  groupId: Uuid,
  folded: string,
): Promise<Uuid | null> {
  const [found] = await reader.query<{ id: Uuid }>(sql`
    select id from keyword where workspace_id = ${workspaceId} and group_id = ${groupId} and term_folded = ${folded}`)
  return found?.id ?? null
}

/** True when the effective balance pays one more day of all running keywords and a new one. */
export async function canPayAnother(tx: Transaction, workspaceId: Uuid): Promise<boolean> {
  const funds = await readFunds(tx, workspaceId)
  return funds.effective >= funds.nextDay + KEYWORD_DAY
}

export async function hasGroup(tx: Transaction, workspaceId: Uuid, groupId: Uuid): Promise<boolean> {
  return (
    (await tx.query(sql`select id from keyword_group where workspace_id = ${workspaceId} and id = ${groupId}`)).length >
    0
  )
}
