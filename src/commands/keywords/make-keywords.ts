import {
  DEFAULT_MATCHING,
  KEYWORD_LIMITS,
  type Keyword,
  type KeywordKind,
  type Matching,
  type ReviewSource,
} from '../../domain/keyword/keyword.ts'
import type { SearchPlatform } from '../../domain/platform/platforms.ts'
import { grantedOf, isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { getKeywords } from '../../queries/keywords/get-keyword.ts'
import type { KeywordView } from '../../queries/keywords/keyword-shape.ts'
import { type Transaction, violatesUnique } from '../../store/database.ts'
import { insertKeywords } from '../../store/keyword/keywords.ts'
import { lockWorkspace } from '../../store/workspace/workspaces.ts'
import { handlesIn, notePeople, type PeopleBehind, peopleBehind, withIdKeys } from '../authors/handle-keys.ts'
import { handleNameOf } from '../authors/resolve-handles.ts'
import type { WritingContext } from '../writing.ts'
import { authorsOfPosts } from './authors-of-posts.ts'
import { objectionToLinks, pagesBehind } from './follow-links.ts'
import {
  connectedPages,
  hiddenPages,
  type NamedPage,
  parseReviewPages,
  type ReviewSourceInput,
} from './review-pages.ts'
import { holdGroups, KeywordRoom } from './room.ts'
import { authorKeysFrom, type KnownAuthors, type MatchingInput, matchingFrom } from './rules.ts'
import { termFrom } from './term.ts'

export interface KeywordInput {
  term: string
  kind: KeywordKind
  groupId?: Uuid | undefined
  muted: boolean
  platforms: SearchPlatform[] | null
  context: string | null
  matching?: MatchingInput | undefined
  cap: { mentions: number } | null
  reviewSources: readonly ReviewSourceInput[]
}

export type MakingRefusal =
  | 'not_found'
  | 'duplicate_keyword'
  | 'insufficient_balance'
  | 'keyword_limit_reached'
  | 'validation_error'

interface Request {
  input: KeywordInput
  id: Uuid
  term: string
  folded: string
  matching: Matching
}

/** Valid as far as can be checked without calling platforms. */
interface Valid extends Request {
  authorKeys: string[]
  pages: readonly NamedPage[]
}

interface Connected extends Valid {
  reviewSources: ReviewSource[]
}

export interface KeywordToMake {
  keyword: Omit<Keyword, 'groupId'>
  groupId: Uuid | undefined
  folded: string
  people: PeopleBehind
}

interface Stored extends Pick<KeywordToMake, 'folded' | 'people'> {
  keyword: Keyword
}

/**
 * Prepares keywords before any lock. Platforms are called only for valid requests, since that takes time and may cost
 * money. Hidden link targets are resolved only with `follow`.
 */
export async function prepareKeywords(
  writing: WritingContext,
  inputs: readonly KeywordInput[],
  { follow }: { follow: boolean },
): Promise<(KeywordToMake | Refusal<MakingRefusal>)[]> {
  const { db, workspaceId } = writing
  const requests = inputs.map((input) => read(writing, input))
  const readable = grantedOf<Request>(requests)
  const linked = await authorsOfPosts(db, workspaceId, readable.flatMap(authorsIn))
  const room = await KeywordRoom.read(db, writing, readable.map(placeIn))
  const valid = requests.map((request) =>
    isRefusal(request) ? request : validate(writing, request, { linked, room, follow }),
  )
  const connected: (Connected | Refusal<MakingRefusal>)[] = []
  for (const item of valid) connected.push(isRefusal(item) ? item : await connect(writing, item))
  const people = await peopleBehind(writing, grantedOf<Connected>(connected).flatMap(authorsIn))
  return connected.map((item) => (isRefusal(item) ? item : prepare(writing, item, people)))
}

/** Stores keywords as if created one by one; outcomes are in the same order. */
export async function storeKeywords(
  tx: Transaction,
  writing: WritingContext,
  prepared: readonly (KeywordToMake | Refusal<MakingRefusal>)[],
): Promise<(KeywordView | Refusal<MakingRefusal>)[]> {
  const { workspaceId, billing, clock } = writing
  const valid = grantedOf<KeywordToMake>(prepared)
  // Groups are locked before workspaces, as in deleting a group.
  await holdGroups(
    tx,
    workspaceId,
    valid.map(({ groupId }) => groupId),
  )
  await lockWorkspace(tx, workspaceId)
  const room = await KeywordRoom.read(tx, writing, valid)
  const judged = prepared.map((item): Stored | Refusal<MakingRefusal> => {
    if (isRefusal(item)) return item
    const { keyword, folded, people } = item
    const groupId = room.take({ id: keyword.id, groupId: item.groupId, folded, muted: keyword.muted })
    if (isRefusal(groupId)) return groupId
    // The welcome limit is no choice of the caller, so naming it sets no cap.
    const isWelcomeCap = billing === 'metered' && room.welcomeLimits && keyword.capOwn === KEYWORD_LIMITS.welcomeCap
    return { keyword: { ...keyword, capOwn: isWelcomeCap ? null : keyword.capOwn, groupId }, folded, people }
  })
  const stored = grantedOf<Stored>(judged)
  await insertKeywords(tx, workspaceId, stored)
  const identities = new Map(
    stored.flatMap(({ people }) => people.identities.map((identity) => [handleNameOf(identity), identity])),
  )
  await notePeople(tx, { identities: [...identities.values()] }, clock.now())
  const shown = await getKeywords(
    { ...writing, db: tx },
    stored.map(({ keyword }) => keyword.id),
  )
  return judged.map((item) => {
    if (isRefusal(item)) return item
    const view = shown.get(item.keyword.id)
    if (view === undefined) throw new Error('a keyword that was just stored cannot be read')
    return view
  })
}

/** Repeats after a concurrent keyword took the term, which is then visible. */
export async function againWhenTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (violatesUnique(error, 'keyword_term')) return work()
    throw error
  }
}

function read({ clock }: WritingContext, input: KeywordInput): Request | Refusal<'validation_error'> {
  const term = termFrom(input.term)
  if (isRefusal(term)) return term
  if (input.platforms?.length === 0 && input.reviewSources.length === 0)
    return refuseField('platforms', 'an empty list needs reviewSources: the keyword would collect nothing')
  const matching = matchingFrom(input.matching ?? {}, DEFAULT_MATCHING)
  return isRefusal(matching) ? matching : { ...term, input, matching, id: newUuid(clock.now()) }
}

function authorsIn({ matching }: Request): readonly string[] {
  return matching.excludedAuthors
}

function placeIn({ id, input, folded }: Request) {
  return { id, groupId: input.groupId, folded, muted: input.muted }
}

interface Known {
  linked: KnownAuthors
  room: KeywordRoom
  follow: boolean
}

/** Holds no locks, so room is checked again on storing. */
function validate(
  writing: WritingContext,
  request: Request,
  { linked, room, follow }: Known,
): Valid | Refusal<MakingRefusal> {
  const authorKeys = authorKeysFrom(request.matching, linked)
  if (isRefusal(authorKeys)) return authorKeys
  const pages = parseReviewPages(request.input.reviewSources)
  if (isRefusal(pages)) return pages
  const [hidden] = hiddenPages(pages)
  if (hidden !== undefined && !follow)
    return refuseField(hidden.field, 'is a short link; send the address of the page, or create this keyword by itself')
  const lost = objectionToLinks(writing, pages)
  if (lost) return lost
  const groupId = room.take(placeIn(request))
  return isRefusal(groupId) ? groupId : { ...request, authorKeys, pages }
}

async function connect(writing: WritingContext, valid: Valid): Promise<Connected | Refusal<'validation_error'>> {
  const known = await pagesBehind(writing, valid.pages)
  if (isRefusal(known)) return known
  const reviewSources = connectedPages(valid.pages, known, { current: [], at: writing.clock.now() })
  return isRefusal(reviewSources) ? reviewSources : { ...valid, reviewSources }
}

function prepare(
  { workspaceId, clock }: WritingContext,
  { input, id, term, folded, matching, authorKeys, reviewSources }: Connected,
  { identities }: PeopleBehind,
): KeywordToMake {
  const at = clock.now()
  const keyword = {
    id,
    workspaceId,
    term,
    kind: input.kind,
    platforms: input.platforms && [...new Set(input.platforms)],
    context: input.context,
    matching,
    excludedAuthorKeys: withIdKeys(authorKeys, matching.excludedAuthors, identities),
    muted: input.muted,
    pausedForBalance: false,
    pausedForNoise: false,
    pausedForCap: false,
    capOwn: input.cap?.mentions ?? null,
    reviewSources: reviewSources.map((source) => ({ ...source, connectedAt: at })),
    createdAt: at,
    judgedSince: at,
    collectsSince: null,
  }
  const named = new Set(handlesIn(matching.excludedAuthors).map(handleNameOf))
  return {
    keyword,
    groupId: input.groupId,
    folded,
    people: { identities: identities.filter((identity) => named.has(handleNameOf(identity))) },
  }
}
