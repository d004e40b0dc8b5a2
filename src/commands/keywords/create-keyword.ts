import type { KeywordHint } from '../../domain/keyword/hints.ts'
import { DEFAULT_MATCHING, KEYWORD_LIMITS, type Keyword, type KeywordKind, type Matching } from '../../domain/keyword/keyword.ts'
import type { SearchPlatform } from '../../domain/post/platform.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { KEYWORD_DAY } from '../../kernel/money.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../kernel/refusal.ts'
import { getKeyword } from '../../queries/keywords/get-keyword.ts'
import type { KeywordView } from '../../queries/keywords/keyword-shape.ts'
import { sql, type Transaction, violatesUnique } from '../../store/database.ts'
import { insertKeyword } from '../../store/keywords.ts'
import { lockWorkspace, readFunds } from '../../store/workspaces.ts'
import { notePeople, type PeopleBehind, peopleBehind, withIdKeys } from '../authors/handle-keys.ts'
import { once } from '../once.ts'
import type { Writing } from '../writing.ts'
import { authorsOfPosts, objectionToLinks, pagesBehind } from './look-ups.ts'
import { authorKeysFrom, type MatchingInput, matchingFrom, type ReviewSourceInput, reviewSourcesFrom } from './rules.ts'
import { termFrom } from './term.ts'
import { hintsFor } from './term-hints.ts'

export interface NewKeyword {
  term: string
  kind: KeywordKind
  groupId?: Uuid | undefined
  muted: boolean
  platforms: SearchPlatform[] | null
  context: string | null
  matching?: MatchingInput | undefined
  cap: { mentions: number } | null
  reviewSources: readonly ReviewSourceInput[]
  requestId?: string | undefined
}

type Refusals = 'not_found' | 'duplicate_keyword' | 'insufficient_balance' | 'keyword_limit_reached' | 'validation_error' | 'request_conflict'

/** Nothing speaks against the request, as far as can be known without asking anybody. Like every refusal it is not kept as an answer. */
const NO_OBJECTION = refuse('request_conflict', 'nothing was decided yet')
export const DUPLICATE = refuse('duplicate_keyword', 'The group already has a keyword with this term')

/** A keyword that was just made, with what there is to say about its term. */
export interface MadeKeyword extends KeywordView {
  hints: KeywordHint[]
}

/** Makes a keyword, which collects from then on. Nothing is charged before the next daily run. */
export async function createKeyword(writing: Writing, input: NewKeyword): Promise<MadeKeyword | Refusal<Refusals>> {
  const { requestId, ...body } = input
  const answered = (work: (tx: Transaction) => Promise<MadeKeyword | Refusal<Refusals>>) =>
    once(writing, { operation: 'create-keyword', requestId, body }, work)
  // Platforms are asked, which takes time and may cost money, only for what was not answered before and may well be stored.
  const rules = rulesOf(input)
  const early = await answered(async (tx) => (isRefusal(rules) ? rules : ((await objection(tx, writing, input, rules)) ?? NO_OBJECTION)))
  if (early !== NO_OBJECTION) return early
  if (isRefusal(rules)) return rules
  const prepared = await prepare(writing, input, rules)
  try {
    // Two of the same request may have come this far.
    return await answered(async (tx) => (isRefusal(prepared) ? prepared : store(tx, writing, prepared)))
  } catch (error) {
    if (violatesUnique(error, 'keyword_term')) return DUPLICATE
    throw error
  }
}

interface Rules {
  term: string
  folded: string
  matching: Matching
}

/** What the caller wants to be found, from the request alone. */
function rulesOf(input: NewKeyword): Rules | Refusal<'validation_error'> {
  const term = termFrom(input.term)
  if (isRefusal(term)) return term
  if (input.platforms?.length === 0 && input.reviewSources.length === 0)
    return refuseField('platforms', 'an empty list needs reviewSources: the keyword would collect nothing')
  const matching = matchingFrom(input.matching ?? {}, DEFAULT_MATCHING)
  return isRefusal(matching) ? matching : { ...term, matching }
}

/** Why the keyword cannot be stored, as far as is known before anybody is asked; nothing is locked, so it is looked at again when it is stored. */
async function objection(tx: Transaction, writing: Writing, input: NewKeyword, { folded, matching }: Rules): Promise<Refusal<Refusals> | null> {
  const { workspaceId } = writing
  const authorKeys = authorKeysFrom(matching, await authorsOfPosts(tx, workspaceId, matching.excludedAuthors))
  if (isRefusal(authorKeys)) return authorKeys
  const pages = reviewSourcesFrom(input.reviewSources, { current: [], known: null, at: writing.clock.now() })
  if (isRefusal(pages)) return pages
  const lost = objectionToLinks(writing, input.reviewSources)
  if (lost) return lost
  const place = await placeFor(tx, writing, input)
  if (isRefusal(place)) return place
  return (await hasTerm(tx, workspaceId, place.groupId, folded)) ? DUPLICATE : null
}

interface Prepared {
  keyword: Omit<Keyword, 'groupId'>
  groupId: Uuid | undefined
  folded: string
  people: PeopleBehind
  hints: KeywordHint[]
}

/** The keyword with what only platforms know, before anything is locked. */
async function prepare(writing: Writing, input: NewKeyword, { term, folded, matching }: Rules): Promise<Prepared | Refusal<'validation_error'>> {
  const { workspaceId, db, clock } = writing
  const authorKeys = authorKeysFrom(matching, await authorsOfPosts(db, workspaceId, matching.excludedAuthors))
  if (isRefusal(authorKeys)) return authorKeys
  const known = await pagesBehind(writing, input.reviewSources)
  if (isRefusal(known)) return known
  const reviewSources = reviewSourcesFrom(input.reviewSources, { current: [], known, at: clock.now() })
  if (isRefusal(reviewSources)) return reviewSources
  const people = await peopleBehind(writing, matching.excludedAuthors)
  const at = clock.now()
  const keyword = {
    id: newUuid(at),
    workspaceId,
    term,
    kind: input.kind,
    platforms: input.platforms && [...new Set(input.platforms)],
    context: input.context,
    matching,
    excludedAuthorKeys: withIdKeys(authorKeys, matching.excludedAuthors, people.identities),
    muted: input.muted,
    pausedForBalance: false,
    pausedForNoise: false,
    pausedForCap: false,
    capOwn: input.cap?.mentions ?? null,
    reviewSources: reviewSources.map((source) => ({ ...source, connectedAt: at })),
    createdAt: at,
    judgedSince: at,
  }
  return { keyword, groupId: input.groupId, folded, people, hints: await hintsFor(writing, { ...input, term }) }
}

async function store(tx: Transaction, writing: Writing, { keyword, groupId, folded, people, hints }: Prepared): Promise<MadeKeyword | Refusal<Refusals>> {
  const { workspaceId, billing, clock } = writing
  // Groups come before workspaces, as whoever removes one with its keywords locks them.
  await holdGroup(tx, workspaceId, groupId)
  await lockWorkspace(tx, workspaceId)
  const place = await placeFor(tx, writing, { groupId, muted: keyword.muted })
  if (isRefusal(place)) return place
  // The limit of the welcome credit is not a choice of the caller's, so naming it chooses nothing.
  const capOwn = billing === 'metered' && place.welcomeLimits && keyword.capOwn === KEYWORD_LIMITS.welcomeCap ? null : keyword.capOwn
  await insertKeyword(tx, { ...keyword, capOwn, groupId: place.groupId }, folded)
  await notePeople(tx, people, clock.now())
  const shown = await getKeyword({ ...writing, db: tx }, keyword.id)
  if (isRefusal(shown)) throw new Error('a keyword that was just stored cannot be read')
  return { ...shown, hints }
}

interface Place {
  groupId: Uuid
  welcomeLimits: boolean
}

/** The group in which one more keyword may be put; refused when the workspace has no room, no such group, or no balance for it. */
async function placeFor(
  tx: Transaction,
  { workspaceId, billing }: Writing,
  { groupId, muted }: { groupId?: Uuid | undefined; muted: boolean },
): Promise<Place | Refusal<'keyword_limit_reached' | 'not_found' | 'insufficient_balance'>> {
  const [counted] = await tx.query<{ total: number; welcome_limits: boolean }>(sql`
    select (select count(*) from keyword where workspace_id = w.id) as total, w.welcome_limits from workspace w where w.id = ${workspaceId}`)
  if ((counted?.total ?? 0) >= KEYWORD_LIMITS.perWorkspace)
    return refuse('keyword_limit_reached', `The workspace has ${KEYWORD_LIMITS.perWorkspace} keywords, which is the limit`)
  const [group] = await tx.query<{ id: Uuid }>(sql`
    select id from keyword_group where workspace_id = ${workspaceId} and ${isGroup(groupId)}`)
  if (!group) return refuse('not_found', 'There is no group with this id')
  if (!muted && billing === 'metered' && !(await canPayAnother(tx, workspaceId))) return refuse('insufficient_balance', NOT_ENOUGH)
  return { groupId: group.id, welcomeLimits: counted?.welcome_limits ?? false }
}

/** Keeps a group, if there is one, until the transaction ends; without an id the default one. Before counters, keywords and workspaces are locked. */
export async function holdGroup(tx: Transaction, workspaceId: Uuid, groupId: Uuid | undefined): Promise<void> {
  await tx.query(sql`select from keyword_group where workspace_id = ${workspaceId} and ${isGroup(groupId)} for share`)
}

function isGroup(groupId: Uuid | undefined) {
  return groupId === undefined ? sql`is_default` : sql`id = ${groupId}`
}

/** Whether a group has a keyword with this term. */
export async function hasTerm(tx: Transaction, workspaceId: Uuid, groupId: Uuid, folded: string): Promise<boolean> {
  const found = await tx.query(sql`select 1 from keyword where workspace_id = ${workspaceId} and group_id = ${groupId} and term_folded = ${folded}`)
  return found.length > 0
}

export const NOT_ENOUGH = 'The balance cannot pay one more day of all running keywords and this one; top up first'

/** True when the effective balance covers one more day of every running keyword and of one that is not running yet. */
export async function canPayAnother(tx: Transaction, workspaceId: Uuid): Promise<boolean> {
  const funds = await readFunds(tx, workspaceId)
  return funds.effective >= funds.nextDay + KEYWORD_DAY
}
