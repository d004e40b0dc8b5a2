import { DEFAULT_MATCHING, KEYWORD_LIMITS, type Keyword, type KeywordKind } from '../../domain/keyword/keyword.ts'
import type { SearchPlatform } from '../../domain/post/platform.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { KEYWORD_DAY } from '../../kernel/money.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../kernel/refusal.ts'
import { getKeyword } from '../../queries/keywords/get-keyword.ts'
import type { KeywordView } from '../../queries/keywords/keyword-shape.ts'
import { sql, type Transaction, violatesUnique } from '../../store/database.ts'
import { insertKeyword } from '../../store/keywords.ts'
import { answerOnce } from '../../store/request-answers.ts'
import { lockWorkspace, readFunds } from '../../store/workspaces.ts'
import type { Writing } from '../writing.ts'
import { type MatchingInput, matchingFrom, type ReviewSourceInput, reviewSourcesFrom } from './rules.ts'
import { termFrom } from './term.ts'

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

/** Makes a keyword, which collects from then on. Nothing is charged before the next daily run. */
export async function createKeyword(writing: Writing, input: NewKeyword): Promise<KeywordView | Refusal<Refusals>> {
  const prepared = prepare(writing, input)
  if (isRefusal(prepared)) return prepared
  const { requestId, ...body } = input
  try {
    return await writing.db.transaction((tx) =>
      answerOnce(tx, { workspaceId: writing.workspaceId, operation: 'create-keyword', requestId, body, at: writing.clock.now() }, () =>
        store(tx, writing, prepared),
      ),
    )
  } catch (error) {
    if (violatesUnique(error, 'keyword_term')) return refuse('duplicate_keyword', 'The group already has a keyword with this term')
    throw error
  }
}

interface Prepared {
  keyword: Omit<Keyword, 'groupId'>
  groupId: Uuid | undefined
  folded: string
}

function prepare({ workspaceId, clock }: Writing, input: NewKeyword): Prepared | Refusal<'validation_error'> {
  const at = clock.now()
  const term = termFrom(input.term)
  if (isRefusal(term)) return term
  const rules = matchingFrom(input.matching ?? {}, DEFAULT_MATCHING)
  if (isRefusal(rules)) return rules
  const reviewSources = reviewSourcesFrom(input.reviewSources, [], at)
  if (isRefusal(reviewSources)) return reviewSources
  if (input.platforms?.length === 0 && reviewSources.length === 0)
    return refuseField('platforms', 'an empty list needs reviewSources: the keyword would collect nothing')
  const keyword = {
    id: newUuid(at),
    workspaceId,
    term: term.term,
    kind: input.kind,
    platforms: input.platforms && [...new Set(input.platforms)],
    context: input.context,
    matching: rules.matching,
    excludedAuthorKeys: rules.authorKeys,
    muted: input.muted,
    pausedForBalance: false,
    pausedForNoise: false,
    pausedForCap: false,
    capOwn: input.cap?.mentions ?? null,
    reviewSources,
    createdAt: at,
    judgedSince: at,
  }
  return { keyword, groupId: input.groupId, folded: term.folded }
}

async function store(tx: Transaction, writing: Writing, { keyword, groupId, folded }: Prepared): Promise<KeywordView | Refusal<Refusals>> {
  const { workspaceId, billing } = writing
  await lockWorkspace(tx, workspaceId)
  const [counted] = await tx.query<{ total: number; welcome_limits: boolean }>(sql`
    select (select count(*) from keyword where workspace_id = w.id) as total, w.welcome_limits from workspace w where w.id = ${workspaceId}`)
  if ((counted?.total ?? 0) >= KEYWORD_LIMITS.perWorkspace)
    return refuse('keyword_limit_reached', `The workspace has ${KEYWORD_LIMITS.perWorkspace} keywords, which is the limit`)
  const [group] = await tx.query<{ id: Uuid }>(sql`
    select id from keyword_group where workspace_id = ${workspaceId} and ${groupId === undefined ? sql`is_default` : sql`id = ${groupId}`} for share`)
  if (!group) return refuse('not_found', 'There is no group with this id')
  if (!keyword.muted && billing === 'metered' && !(await canPayAnother(tx, workspaceId))) return refuse('insufficient_balance', NOT_ENOUGH)
  // The limit of the welcome credit is not a choice of the caller's, so naming it chooses nothing.
  const capOwn = billing === 'metered' && counted?.welcome_limits && keyword.capOwn === KEYWORD_LIMITS.welcomeCap ? null : keyword.capOwn
  await insertKeyword(tx, { ...keyword, capOwn, groupId: group.id }, folded)
  const shown = await getKeyword({ ...writing, db: tx }, keyword.id)
  if (isRefusal(shown)) throw new Error('a keyword that was just stored cannot be read')
  return shown
}

export const NOT_ENOUGH = 'The balance cannot pay one more day of all running keywords and this one; top up first'

/** True when the effective balance covers one more day of every running keyword and of one that is not running yet. */
export async function canPayAnother(tx: Transaction, workspaceId: Uuid): Promise<boolean> {
  const funds = await readFunds(tx, workspaceId)
  return funds.effective >= funds.nextDay + KEYWORD_DAY
}
