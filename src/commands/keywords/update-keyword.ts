import { type Keyword, type Matching, monthlyLimit } from '../../domain/keyword/keyword.ts'
import type { KeywordEvent } from '../../domain/keyword/lifecycle.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { dayOf, monthStart } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { getKeyword } from '../../queries/keywords/get-keyword.ts'
import type { KeywordView } from '../../queries/keywords/keyword-shape.ts'
import { sql, type Transaction, violatesUnique } from '../../store/database.ts'
import {
  type KeywordRow,
  keywordFromRow,
  lockKeyword,
  updateKeyword as storeKeyword,
} from '../../store/keyword/keywords.ts'
import { recordRunningEvent } from '../../store/keyword/running-events.ts'
import { lockWorkspace } from '../../store/workspace/workspaces.ts'
import { notePeople, type PeopleBehind, peopleBehind, withIdKeys } from '../authors/handle-keys.ts'
import { existing } from '../existing.ts'
import type { WritingContext } from '../writing.ts'
import {
  describe,
  type FoundOut,
  type KeywordChange,
  type KeywordFacts,
  type ReadChange,
  readChange,
  rulesAfter,
  run,
  triggersOf,
} from './describe-change.ts'
import { objectionToLinks, pagesBehind } from './follow-links.ts'
import { authorsAfter, type Excluded } from './kept-authors.ts'
import type { NamedPage } from './review-pages.ts'
import { canPayAnother, duplicateOf, findByTerm, hasGroup, holdGroups, NOT_ENOUGH, TERM_TAKEN } from './room.ts'
import { authorKeysFrom } from './rules.ts'

type Refusals = 'not_found' | 'duplicate_keyword' | 'insufficient_balance' | 'validation_error'
const NOT_THERE = refuse('not_found', 'This workspace has no keyword with this id.')
const NO_GROUP = refuse('not_found', 'This workspace has no group with this id.')

/**
 * Changes a keyword. New rules apply to later posts; stored mentions stay. The request is validated, platforms are
 * called, then everything is checked again and stored under lock.
 */
export async function updateKeyword(
  writing: WritingContext,
  id: Uuid,
  change: KeywordChange,
): Promise<KeywordView | Refusal<Refusals>> {
  const read = readChange(change)
  const found = await lookUp(writing, id, read)
  if (isRefusal(found)) return found
  try {
    return await writing.db.transaction((tx) => store(tx, writing, id, read, found))
  } catch (error) {
    if (violatesUnique(error, 'keyword_term'))
      return refuse('duplicate_keyword', TERM_TAKEN, await holderOfTerm(writing, id, change.groupId))
    throw error
  }
}

interface LookedUp extends FoundOut {
  people: PeopleBehind | null
}

const NOTHING: LookedUp = { excludedKeys: null, people: null, pages: new Map() }

/** Calls platforms before locking, since they are slow, and only for a valid change, since they may charge. */
async function lookUp(writing: WritingContext, id: Uuid, read: ReadChange): Promise<LookedUp | Refusal<Refusals>> {
  if (read.change.matching?.excludedAuthors === undefined && read.pages === null) return NOTHING
  const valid = await writing.db.transaction((tx) => validate(tx, writing, id, read))
  if (isRefusal(valid)) return valid
  const pages = await pagesBehind(writing, valid.pages)
  if (isRefusal(pages)) return pages
  if (valid.excluded === null) return { ...NOTHING, pages }
  const { entries, keys } = valid.excluded
  const people = await peopleBehind(writing, entries)
  return { excludedKeys: withIdKeys(keys, entries, people.identities), people, pages }
}

interface Valid {
  excluded: Excluded | null
  pages: readonly NamedPage[]
}

/** Holds no locks, so all of this is checked again later. */
async function validate(
  tx: Transaction,
  writing: WritingContext,
  id: Uuid,
  read: ReadChange,
): Promise<Valid | Refusal<Refusals>> {
  const { workspaceId } = writing
  const { change } = read
  const [row] = await tx.query<KeywordRow & { term_folded: string }>(
    sql`select * from keyword where workspace_id = ${workspaceId} and id = ${id}`,
  )
  if (!row) return NOT_THERE
  const current = keywordFromRow(row)
  const rules = rulesAfter(current, read)
  if (isRefusal(rules)) return rules
  const pages = rules.pages ?? []
  const lost = objectionToLinks(writing, pages)
  if (lost) return lost
  const excluded =
    change.matching?.excludedAuthors === undefined ? null : await excludedAfter(tx, current, rules.matching)
  if (isRefusal(excluded)) return excluded
  const objection = await objectionToPlace(tx, writing, change, { current, folded: row.term_folded })
  return objection ?? { excluded, pages }
}

async function excludedAfter(
  tx: Transaction,
  current: Keyword,
  matching: Matching,
): Promise<Excluded | Refusal<'validation_error'>> {
  const before = { entries: current.matching.excludedAuthors, keys: current.excludedAuthorKeys }
  const keys = authorKeysFrom(matching, await authorsAfter(tx, current.workspaceId, before, matching.excludedAuthors))
  return isRefusal(keys) ? keys : { entries: matching.excludedAuthors, keys }
}

async function objectionToPlace(
  tx: Transaction,
  { workspaceId, billing }: WritingContext,
  { groupId, muted }: KeywordChange,
  { current, folded }: { current: Keyword; folded: string },
): Promise<Refusal<Refusals> | null> {
  const group = groupId ?? current.groupId
  if (!(await hasGroup(tx, workspaceId, group))) return NO_GROUP
  const holder = group === current.groupId ? null : await findByTerm(tx, workspaceId, group, folded)
  if (holder !== null) return duplicateOf(holder)
  const starts = muted === false && current.muted && billing === 'metered'
  return starts && !(await canPayAnother(tx, workspaceId)) ? refuse('insufficient_balance', NOT_ENOUGH) : null
}

async function store(
  tx: Transaction,
  writing: WritingContext,
  id: Uuid,
  read: ReadChange,
  found: LookedUp,
): Promise<KeywordView | Refusal<Refusals>> {
  const { change } = read
  const locked = await lock(tx, writing, id, change.groupId)
  if (isRefusal(locked)) return locked
  const { current, facts, at } = locked
  const described = describe(current, read, found, facts, at)
  if (isRefusal(described)) return described
  if (change.groupId !== undefined && !(await hasGroup(tx, writing.workspaceId, change.groupId))) return NO_GROUP
  const moved = await move(tx, writing, change, { current, described, facts })
  if (isRefusal(moved)) return moved
  const { keyword, events } = moved
  const starts = current.muted && !keyword.muted
  await storeKeyword(tx, starts ? { ...keyword, judgedSince: at, collectsSince: at } : keyword, { before: current, at })
  if (found.people) await notePeople(tx, found.people, at)
  const cap = monthlyLimit({ ...facts, capOwn: keyword.capOwn }, facts.metered)
  for (const event of events) await recordRunningEvent(tx, { keyword, event, cap, monthCount: facts.monthCount, at })
  return await getKeyword({ ...writing, db: tx }, id)
}

interface Locked {
  current: Keyword
  facts: KeywordFacts
  /** Taken after waiting for the locks. */
  at: Date
}

async function lock(
  tx: Transaction,
  { workspaceId, clock, billing }: WritingContext,
  id: Uuid,
  groupId: Uuid | undefined,
): Promise<Locked | Refusal<'not_found'>> {
  // Groups are locked before counters, as in deleting a group.
  if (groupId !== undefined) await holdGroups(tx, workspaceId, [groupId])
  await lockCounter(tx, workspaceId, id)
  const current = await lockKeyword(tx, workspaceId, id)
  const at = clock.now()
  const counter = await readCounter(tx, workspaceId, id, at)
  if (!current || !counter) return NOT_THERE
  return { current, facts: { ...counter, metered: billing === 'metered' }, at }
}

interface Change {
  current: Keyword
  described: Keyword
  facts: KeywordFacts
}

/** A keyword only resumes if the balance pays for it. */
async function move(
  tx: Transaction,
  writing: WritingContext,
  change: KeywordChange,
  { current, described, facts }: Change,
): Promise<{ keyword: Keyword; events: KeywordEvent[] } | Refusal<'insufficient_balance'>> {
  const triggers = triggersOf(current, described, change, facts)
  const moved = run(current, described, triggers)
  if (!current.muted || moved.keyword.muted || (await canRun(tx, writing))) return moved
  if (change.muted === false) return refuse('insufficient_balance', NOT_ENOUGH)
  // New rules would end a pause. Without the balance they are stored and the pause stays.
  const others = triggers.filter(({ kind }) => kind !== 'rules_changed')
  return run(current, described, others)
}

/** The workspace is locked after counters, as in storing a batch. */
async function canRun(tx: Transaction, { workspaceId, billing }: WritingContext): Promise<boolean> {
  if (billing !== 'metered') return true
  await lockWorkspace(tx, workspaceId)
  return await canPayAnother(tx, workspaceId)
}

/** Counters are locked before keywords, as in storing, to avoid deadlocks. */
async function lockCounter(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<void> {
  await tx.query(sql`select from keyword_counter where workspace_id = ${workspaceId} and keyword_id = ${id} for update`)
}

async function readCounter(
  tx: Transaction,
  workspaceId: Uuid,
  id: Uuid,
  at: Date,
): Promise<Omit<KeywordFacts, 'metered'> | null> {
  const [counter] = await tx.query<{ month: string; month_mentions: number }>(sql`
    select month, month_mentions from keyword_counter where workspace_id = ${workspaceId} and keyword_id = ${id}`)
  const [workspace] = await tx.query<{ welcome_limits: boolean }>(
    sql`select welcome_limits from workspace where id = ${workspaceId}`,
  )
  if (!counter || !workspace) return null
  return {
    monthCount: counter.month === dayOf(monthStart(at)) ? counter.month_mentions : 0,
    welcomeLimits: workspace.welcome_limits,
  }
}

function holderOfTerm(
  { db, workspaceId }: WritingContext,
  id: Uuid,
  groupId: Uuid | undefined,
): Promise<{ existingId?: string }> {
  const same = sql<{ id: Uuid }>`
    select other.id from keyword moved join keyword other on other.workspace_id = moved.workspace_id
      and other.term_folded = moved.term_folded
     where moved.workspace_id = ${workspaceId} and moved.id = ${id} and other.group_id = ${groupId ?? null}`
  return existing(db, 'kw', same)
}
