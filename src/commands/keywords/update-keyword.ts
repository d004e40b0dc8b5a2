import { capOf, KEYWORD_LIMITS, type Keyword, type KeywordKind, type Matching } from '../../domain/keyword/keyword.ts'
import { type KeywordEvent, type KeywordTrigger, stepRunning } from '../../domain/keyword/lifecycle.ts'
import type { SearchPlatform } from '../../domain/platform/platforms.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
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
import type { Writing } from '../writing.ts'
import { authorsAfter, type Excluded } from './kept-authors.ts'
import { objectionToLinks, pagesBehind } from './look-ups.ts'
import { canPayAnother, duplicateOf, findByTerm, holdGroups, NOT_ENOUGH, TERM_TAKEN } from './room.ts'
import {
  authorKeysFrom,
  type KnownPages,
  type MatchingInput,
  matchingFrom,
  type ReviewSourceInput,
  reviewSourcesFrom,
} from './rules.ts'

/** What callers may change of a keyword; what is absent stays. */
export interface KeywordChange {
  kind?: KeywordKind | undefined
  muted?: boolean | undefined
  platforms?: SearchPlatform[] | null | undefined
  context?: string | null | undefined
  matching?: MatchingInput | undefined
  cap?: { mentions: number } | null | undefined
  groupId?: Uuid | undefined
  reviewSources?: readonly ReviewSourceInput[] | undefined
}

type Refusals = 'not_found' | 'duplicate_keyword' | 'insufficient_balance' | 'validation_error'
const NOT_THERE = refuse('not_found', 'There is no keyword with this id')
const NO_GROUP = refuse('not_found', 'There is no group with this id')

/** Changes a keyword. New rules apply to posts that come from then on; stored mentions stay. */
export async function updateKeyword(
  writing: Writing,
  id: Uuid,
  change: KeywordChange,
): Promise<KeywordView | Refusal<Refusals>> {
  const found = await lookUp(writing, id, change)
  if (isRefusal(found)) return found
  try {
    return await writing.db.transaction((tx) => changed(tx, writing, id, change, found))
  } catch (error) {
    if (violatesUnique(error, 'keyword_term'))
      return refuse('duplicate_keyword', TERM_TAKEN, await holderOfTerm(writing, id, change.groupId))
    throw error
  }
}

/** What the change refers to and only platforms, or what is stored, can tell. */
interface LookedUp {
  /** The people whom the keyword excludes from now on; null when they stay. */
  excluded: { keys: readonly string[]; people: PeopleBehind } | null
  /** Null while no link was followed. */
  pages: KnownPages | null
}

const NOTHING: LookedUp = { excluded: null, pages: null }

/**
 * Before anything is locked, because platforms may take their time; and only for a change that may well be stored,
 * because they may take money.
 */
async function lookUp(writing: Writing, id: Uuid, change: KeywordChange): Promise<LookedUp | Refusal<Refusals>> {
  const { matching, reviewSources } = change
  if (matching?.excludedAuthors === undefined && reviewSources === undefined) return NOTHING
  const weighed = await writing.db.transaction((tx) => weigh(tx, writing, id, change))
  if (isRefusal(weighed)) return weighed
  const pages = await pagesBehind(writing, reviewSources ?? [])
  if (isRefusal(pages)) return pages
  if (weighed.excluded === null) return { excluded: null, pages }
  const { entries, keys } = weighed.excluded
  const people = await peopleBehind(writing, entries)
  return { excluded: { keys: withIdKeys(keys, entries, people.identities), people }, pages }
}

/**
 * The people whom the keyword will exclude, as far as is known before anybody is asked, or why the change cannot be
 * stored. Nothing is locked, so this is looked at again then.
 */
async function weigh(
  tx: Transaction,
  writing: Writing,
  id: Uuid,
  change: KeywordChange,
): Promise<{ excluded: Excluded | null } | Refusal<Refusals>> {
  const { workspaceId } = writing
  const at = writing.clock.now()
  const counter = await readCounter(tx, workspaceId, id, at)
  const [row] = await tx.query<KeywordRow & { term_folded: string }>(
    sql`select * from keyword where workspace_id = ${workspaceId} and id = ${id}`,
  )
  if (!row || !counter) return NOT_THERE
  const current = keywordFromRow(row)
  const described = describe(current, change, NOTHING, { ...counter, metered: writing.billing === 'metered' }, at)
  if (isRefusal(described)) return described
  const lost = objectionToLinks(writing, change.reviewSources ?? [])
  if (lost) return lost
  const excluded =
    change.matching?.excludedAuthors === undefined ? null : await excludedAfter(tx, current, described.matching)
  if (isRefusal(excluded)) return excluded
  if (!(await hasGroup(tx, workspaceId, described.groupId))) return NO_GROUP
  const holder =
    described.groupId === current.groupId ? null : await findByTerm(tx, workspaceId, described.groupId, row.term_folded)
  if (holder !== null) return duplicateOf(holder)
  const starts = change.muted === false && current.muted && writing.billing === 'metered'
  return starts && !(await canPayAnother(tx, workspaceId)) ? refuse('insufficient_balance', NOT_ENOUGH) : { excluded }
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

async function changed(
  tx: Transaction,
  writing: Writing,
  id: Uuid,
  change: KeywordChange,
  found: LookedUp,
): Promise<KeywordView | Refusal<Refusals>> {
  // Groups come before counters, as whoever removes one with its keywords locks them.
  if (change.groupId !== undefined) await holdGroups(tx, writing.workspaceId, [change.groupId])
  await lockCounter(tx, writing.workspaceId, id)
  const current = await lockKeyword(tx, writing.workspaceId, id)
  // The time is that of the change, and not that of the wait before it.
  const at = writing.clock.now()
  const counter = await readCounter(tx, writing.workspaceId, id, at)
  if (!current || !counter) return NOT_THERE
  const facts = { ...counter, metered: writing.billing === 'metered' }
  const described = describe(current, change, found, facts, at)
  if (isRefusal(described)) return described
  if (change.groupId !== undefined && !(await hasGroup(tx, writing.workspaceId, change.groupId))) return NO_GROUP
  const triggers = triggersOf(current, described, change, facts)
  let { keyword, events } = run(current, described, triggers)
  if (current.muted && !keyword.muted && !(await canRun(tx, writing))) {
    if (change.muted === false)
      return refuse('insufficient_balance', NOT_ENOUGH)
      // The new rules alone would have ended a pause; without the balance for it they are stored and the pause goes on.
    ;({ keyword, events } = run(
      current,
      described,
      triggers.filter(({ kind }) => kind !== 'rules_changed'),
    ))
  }
  await storeKeyword(
    tx,
    current.muted && !keyword.muted ? { ...keyword, judgedSince: at, collectsSince: at } : keyword,
    { before: current, at },
  )
  if (found.excluded) await notePeople(tx, found.excluded.people, at)
  const cap = capOf(keyword.capOwn, facts.metered && facts.welcomeLimits)?.mentions ?? null
  for (const event of events) await recordRunningEvent(tx, { keyword, event, cap, monthCount: facts.monthCount, at })
  return await getKeyword({ ...writing, db: tx }, id)
}

/** Whether one more keyword may run. The workspace is locked after counters, as when a batch is stored. */
async function canRun(tx: Transaction, { workspaceId, billing }: Writing): Promise<boolean> {
  if (billing !== 'metered') return true
  await lockWorkspace(tx, workspaceId)
  return await canPayAnother(tx, workspaceId)
}

interface Facts {
  monthCount: number
  welcomeLimits: boolean
  metered: boolean
}

/**
 * The counter is locked before the keyword, as collecting does, so that the two never wait for each other in a ring.
 */
async function lockCounter(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<void> {
  await tx.query(sql`select from keyword_counter where workspace_id = ${workspaceId} and keyword_id = ${id} for update`)
}

async function readCounter(
  tx: Transaction,
  workspaceId: Uuid,
  id: Uuid,
  at: Date,
): Promise<Omit<Facts, 'metered'> | null> {
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

/** The keyword that has the term in the group into which another one was to be moved. */
function holderOfTerm(
  { db, workspaceId }: Writing,
  id: Uuid,
  groupId: Uuid | undefined,
): Promise<{ existingId?: string }> {
  const same = sql<{ id: Uuid }>`
    select other.id from keyword moved join keyword other on other.workspace_id = moved.workspace_id
      and other.term_folded = moved.term_folded
     where moved.workspace_id = ${workspaceId} and moved.id = ${id} and other.group_id = ${groupId ?? null}`
  return existing(db, 'kw', same)
}

async function hasGroup(tx: Transaction, workspaceId: Uuid, groupId: Uuid): Promise<boolean> {
  return (
    (await tx.query(sql`select id from keyword_group where workspace_id = ${workspaceId} and id = ${groupId}`)).length >
    0
  )
}

/** The keyword with everything that the change says of it, its running state apart. */
function describe(
  current: Keyword,
  change: KeywordChange,
  found: LookedUp,
  facts: Facts,
  at: Date,
): Keyword | Refusal<'validation_error'> {
  const matching = matchingFrom(change.matching ?? {}, current.matching)
  if (isRefusal(matching)) return matching
  const reviewSources =
    change.reviewSources === undefined
      ? current.reviewSources
      : reviewSourcesFrom(change.reviewSources, { current: current.reviewSources, known: found.pages, at })
  if (isRefusal(reviewSources)) return reviewSources
  const platforms =
    change.platforms === undefined ? current.platforms : change.platforms && [...new Set(change.platforms)]
  // As many as the caller lists, for pages behind links may not be known yet.
  if (platforms?.length === 0 && (change.reviewSources ?? reviewSources).length === 0)
    return change.platforms === undefined
      ? refuseField('reviewSources', 'must not be empty while platforms is: the keyword would collect nothing')
      : refuseField('platforms', 'an empty list needs reviewSources: the keyword would collect nothing')
  const described = {
    ...current,
    kind: change.kind ?? current.kind,
    platforms,
    context: change.context === undefined ? current.context : change.context,
    matching,
    excludedAuthorKeys: found.excluded ? [...found.excluded.keys] : current.excludedAuthorKeys,
    capOwn: capOwnFrom(change, current, facts),
    groupId: change.groupId ?? current.groupId,
    reviewSources,
  }
  const collectsAnew = changesCollection(current, described)
  return {
    ...described,
    judgedSince: collectsAnew || described.context !== current.context ? at : current.judgedSince,
    collectsSince: collectsAnew ? at : current.collectsSince,
  }
}

/** While the welcome credit limits every keyword, naming its limit chooses nothing. */
function capOwnFrom({ cap }: KeywordChange, current: Keyword, { welcomeLimits, metered }: Facts): number | null {
  if (cap === undefined) return current.capOwn
  if (cap === null) return null
  return metered && welcomeLimits && cap.mentions === KEYWORD_LIMITS.welcomeCap ? current.capOwn : cap.mentions
}

/**
 * True when what was matched before says little about what will be matched from now on. Another context only changes
 * the scores.
 */
function changesCollection(before: Keyword, after: Keyword): boolean {
  const view = ({ platforms, matching }: Keyword) => JSON.stringify([platforms, matching])
  return view(before) !== view(after)
}

/** True when something changed that may have made the noise: a keyword stopped for noise then tries again. */
function mayEndNoise(before: Keyword, after: Keyword): boolean {
  const view = ({ platforms, context, matching: { requiredTerms, requiredMode, excludedTerms } }: Keyword) =>
    JSON.stringify([platforms, context, requiredTerms, requiredMode, excludedTerms])
  return view(before) !== view(after)
}

/** What the change means for the running state, in the order in which it happens. */
function triggersOf(current: Keyword, described: Keyword, change: KeywordChange, facts: Facts): KeywordTrigger[] {
  const cap = capOf(described.capOwn, facts.metered && facts.welcomeLimits)?.mentions ?? null
  const triggers: KeywordTrigger[] = []
  if (change.cap !== undefined) triggers.push({ kind: 'cap_changed', cap, monthCount: facts.monthCount })
  if (mayEndNoise(current, described)) triggers.push({ kind: 'rules_changed' })
  // Also of one that is muted: the caller's wish takes the place of whatever else had stopped it.
  if (change.muted === true) triggers.push({ kind: 'mute' })
  if (change.muted === false && current.muted) triggers.push({ kind: 'unmute' })
  return triggers
}

function run(
  current: Keyword,
  described: Keyword,
  triggers: readonly KeywordTrigger[],
): { keyword: Keyword; events: KeywordEvent[] } {
  const events: KeywordEvent[] = []
  let state: Pick<Keyword, 'muted' | 'pausedForBalance' | 'pausedForNoise' | 'pausedForCap'> = current
  for (const trigger of triggers) {
    const next = stepRunning(state, trigger)
    state = next.state
    if (next.event) events.push(next.event)
  }
  const { muted, pausedForBalance, pausedForNoise, pausedForCap } = state
  return { keyword: { ...described, muted, pausedForBalance, pausedForNoise, pausedForCap }, events }
}
