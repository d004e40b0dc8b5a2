import { toId, type Uuid } from '../../src/kernel/ids.ts'

/**
 * What the money of a workspace has to do, told a second time from the specification alone: nothing here is shared with
 * the code under test but the form of ids. It knows no database, no transactions and no locks; everything happens at
 * once and in order. Long, because it is to be read beside the specification as one text.
 */

/** Thirtieths of a cent: a keyword and day costs 500/30 cents, a mention 0.8, and 5.80 dollars are the welcome. */
const KEYWORD_DAY = 500
const MENTION = 24
const WELCOME = 17_400
const WELCOME_CAP = 200

export type CreditName = 'topup' | 'auto_recharge' | 'grant'
export type TakingName = 'refund' | 'dispute' | 'adjustment'

/** Something that a user, a platform, a payment or the clock does, once. */
export type Operation =
  | {
      kind: 'create'
      workspace: Uuid
      term: string
      muted: boolean
      cap: number | null
      requestId: string
      made: Uuid | null
    }
  | { kind: 'mute' | 'unmute' | 'remove'; workspace: Uuid; keyword: Uuid }
  | { kind: 'cap'; workspace: Uuid; keyword: Uuid; cap: number | null }
  | { kind: 'match'; pairs: readonly Pair[] }
  /** `at` may lie before the clock: a score that was begun before midnight. */
  | { kind: 'score'; at: Date; scores: readonly Scored[] }
  /** A post is gone from its platform. */
  | { kind: 'forget'; posts: readonly string[] }
  | { kind: 'credit'; workspace: Uuid; name: CreditName; amount: number; key: string }
  | { kind: 'take'; workspace: Uuid; name: TakingName; amount: number; key: string }
  /** The turn of the month passes over keywords that somebody else holds, until its next look. */
  | { kind: 'turn'; passesOver?: readonly Uuid[] }
  /**
   * A look takes the notes that it found, and not one that was left since, although it sees what that one is of: the
   * next look finds it.
   */
  | { kind: 'watch'; leavesNote?: boolean }
  | { kind: 'run' }

/** A post that the rules of a keyword admitted. */
export interface Pair {
  workspace: Uuid
  keyword: Uuid
  post: string
  free: boolean
}

export interface Scored {
  workspace: Uuid
  keyword: Uuid
  post: string
  mentionId: Uuid
  failed: boolean
}

export interface KeywordModel {
  id: Uuid
  term: string
  muted: boolean
  /** Stopped because the balance ran out. */
  short: boolean
  capped: boolean
  own: number | null
  /** The month (YYYY-MM) that `count` matches belong to. */
  month: string
  count: number
}

export interface EntryModel {
  kind: string
  amount: number
  balance: number
  key: string
  day: string | null
  units: number | null
}

/** Of one keyword on one day. */
export interface UsageModel {
  scored: number
  billable: number
  failed: number
}

export interface WorkspaceModel {
  id: Uuid
  balance: number
  lastCredit: number
  lowTold: boolean
  welcome: boolean
  /** The last day that waits for nothing. */
  settled: string
  /** Whether something was taken since somebody last looked. */
  spent: boolean
  keywords: Map<Uuid, KeywordModel>
  /** Every pair of a keyword and a post that is a mention, and what it waits for. */
  mentions: Map<string, 'a score' | 'a free score' | 'nothing'>
  /** What mentions cost on days that are not settled, and how many. */
  open: Map<string, { amount: number; mentions: number }>
  /** By day and keyword. */
  usage: Map<string, UsageModel>
  /** Days and keywords that were paid for. */
  charged: Set<string>
  entries: EntryModel[]
  keys: Set<string>
  requests: Set<string>
  /** What a channel that hears everything is told, in order. */
  events: string[]
}

export function newWorkspace(id: Uuid, at: Date): WorkspaceModel {
  const made: WorkspaceModel = {
    id,
    balance: 0,
    lastCredit: WELCOME,
    lowTold: false,
    welcome: true,
    // The run of the day is still to come in its first five minutes.
    settled: isTooEarly(at) ? earlier(dayOf(at), 2) : earlier(dayOf(at), 1),
    spent: false,
    keywords: new Map(),
    mentions: new Map(),
    open: new Map(),
    usage: new Map(),
    charged: new Set(),
    entries: [],
    keys: new Set(),
    requests: new Set(),
    events: [],
  }
  enter(made, { kind: 'signup_credit', amount: WELCOME, key: 'welcome', day: null, units: null })
  return made
}

/** A copy on which something may be tried. */
export function copyOf(model: WorkspaceModel): WorkspaceModel {
  return {
    ...model,
    keywords: new Map([...model.keywords].map(([id, keyword]) => [id, { ...keyword }])),
    mentions: new Map(model.mentions),
    open: new Map(model.open),
    usage: new Map(model.usage),
    charged: new Set(model.charged),
    entries: [...model.entries],
    keys: new Set(model.keys),
    requests: new Set(model.requests),
    events: [...model.events],
  }
}

/** Whether an operation does anything to this workspace. */
export function touches(operation: Operation, id: Uuid): boolean {
  switch (operation.kind) {
    case 'run':
    case 'watch':
    case 'turn':
    case 'forget':
      return true
    case 'match':
      return operation.pairs.some(({ workspace }) => workspace === id)
    case 'score':
      return operation.scores.some(({ workspace }) => workspace === id)
    default:
      return operation.workspace === id
  }
}

/** Does an operation to a workspace, as far as it concerns it, and answers what a caller is told. */
export function apply(model: WorkspaceModel, operation: Operation, at: Date): string {
  switch (operation.kind) {
    case 'create':
      return create(model, operation, at)
    case 'mute':
      return withKeyword(model, operation.keyword, (keyword) => {
        // The caller's own wish, which no credit undoes.
        keyword.muted = true
        keyword.short = false
        return 'done'
      })
    case 'unmute':
      return withKeyword(model, operation.keyword, (keyword) => unmute(model, keyword))
    case 'cap':
      return withKeyword(model, operation.keyword, (keyword) => setCap(model, keyword, operation.cap, at))
    case 'remove':
      return remove(model, operation.keyword)
    case 'match':
      return match(model, operation.pairs, at)
    case 'score':
      return score(model, operation.scores, operation.at)
    case 'forget':
      for (const post of operation.posts) for (const id of model.keywords.keys()) model.mentions.delete(`${id} ${post}`)
      return 'done'
    case 'credit':
      return credit(model, operation, at)
    case 'take':
      if (enter(model, { kind: operation.name, amount: -operation.amount, key: operation.key, day: null, units: null }))
        model.spent = true
      return 'done'
    case 'run':
      return run(model, at)
    case 'watch':
      return watch(model, operation, at)
    case 'turn':
      for (const keyword of ordered(model))
        if (keyword.capped && keyword.month < monthOf(at) && !operation.passesOver?.includes(keyword.id))
          uncap(model, keyword, 'month_turned', at)
      return 'done'
  }
}

/** What a workspace may spend. */
export function effective(model: WorkspaceModel): number {
  return model.balance - [...model.open.values()].reduce((sum, { amount }) => sum + amount, 0)
}

export function running(model: WorkspaceModel): KeywordModel[] {
  return ordered(model).filter(({ muted }) => !muted)
}

export function stoppedShort(model: WorkspaceModel): KeywordModel[] {
  return ordered(model).filter(({ short }) => short)
}

function ordered(model: WorkspaceModel): KeywordModel[] {
  return [...model.keywords.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

function create(
  model: WorkspaceModel,
  { term, muted, cap, requestId, made }: Extract<Operation, { kind: 'create' }>,
  at: Date,
): string {
  if (model.requests.has(requestId)) return 'done'
  if (!muted && !paysOneMore(model)) return 'insufficient_balance'
  if (made === null) return 'a keyword should have been made'
  const own = model.welcome && cap === WELCOME_CAP ? null : cap
  model.keywords.set(made, { id: made, term, muted, short: false, capped: false, own, month: monthOf(at), count: 0 })
  model.requests.add(requestId)
  return 'done'
}

function withKeyword(model: WorkspaceModel, id: Uuid, work: (keyword: KeywordModel) => string): string {
  const keyword = model.keywords.get(id)
  return keyword ? work(keyword) : 'not_found'
}

function paysOneMore(model: WorkspaceModel): boolean {
  return effective(model) >= (running(model).length + 1) * KEYWORD_DAY
}

/** No event: whoever does it knows. */
function unmute(model: WorkspaceModel, keyword: KeywordModel): string {
  if (!keyword.muted) return 'done'
  if (!paysOneMore(model)) return 'insufficient_balance'
  keyword.muted = false
  keyword.short = false
  return 'done'
}

/** While the welcome credit limits every keyword, naming its limit chooses nothing. */
function setCap(model: WorkspaceModel, keyword: KeywordModel, cap: number | null, at: Date): string {
  if (!(model.welcome && cap === WELCOME_CAP)) keyword.own = cap
  const inForce = capOf(model, keyword)
  const reached = inForce !== null && countOf(keyword, at) >= inForce
  if (reached && !keyword.capped) reachCap(model, keyword, inForce, at)
  if (!reached && keyword.capped) uncap(model, keyword, inForce === null ? 'cap_removed' : 'cap_raised', at)
  return 'done'
}

function capOf(model: WorkspaceModel, { own }: KeywordModel): number | null {
  return model.welcome ? Math.min(own ?? WELCOME_CAP, WELCOME_CAP) : own
}

function countOf({ month, count }: KeywordModel, at: Date): number {
  return month >= monthOf(at) ? count : 0
}

function reachCap(model: WorkspaceModel, keyword: KeywordModel, cap: number | null, at: Date): void {
  keyword.capped = true
  if (keyword.muted) return
  const next = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
  tell(model, 'keyword.capped', {
    keyword: told(keyword),
    cap: { mentions: cap },
    thisMonth: countOf(keyword, at),
    pausedAt: at.toISOString(),
    resumesAt: next.toISOString(),
  })
}

/** A muted keyword neither collected before nor does afterwards, so there is nothing to tell of it. */
function uncap(model: WorkspaceModel, keyword: KeywordModel, reason: string, at: Date): void {
  keyword.capped = false
  if (!keyword.muted) tellResumed(model, keyword, reason, at)
}

function remove(model: WorkspaceModel, id: Uuid): string {
  model.keywords.delete(id)
  for (const pair of model.mentions.keys()) if (pair.startsWith(id)) model.mentions.delete(pair)
  return 'done'
}

function match(model: WorkspaceModel, pairs: readonly Pair[], at: Date): string {
  const added = new Map<Uuid, number>()
  for (const { workspace, keyword: id, post, free } of pairs) {
    const keyword = model.keywords.get(id)
    const pair = `${id} ${post}`
    if (workspace !== model.id || !keyword || keyword.muted || model.mentions.has(pair)) continue
    const cap = capOf(model, keyword)
    const so = added.get(id) ?? 0
    if (cap !== null && countOf(keyword, at) + so >= cap) continue
    added.set(id, so + 1)
    model.mentions.set(pair, free ? 'a free score' : 'a score')
  }
  for (const keyword of ordered(model)) {
    const more = added.get(keyword.id)
    if (more === undefined) continue
    if (keyword.capped && keyword.month < monthOf(at)) uncap(model, keyword, 'month_turned', at)
    keyword.count = countOf(keyword, at) + more
    keyword.month = monthOf(at)
    const cap = capOf(model, keyword)
    if (cap !== null && keyword.count >= cap) reachCap(model, keyword, cap, at)
  }
  return 'done'
}

/**
 * A mention is billed when it is scored, once, unless that failed or it is free. What comes too late for its day counts
 * for the first that is open.
 */
function score(model: WorkspaceModel, scores: readonly Scored[], at: Date): string {
  for (const { workspace, keyword, post, failed } of scores) {
    const pair = `${keyword} ${post}`
    const waitsFor = model.mentions.get(pair)
    if (workspace !== model.id || waitsFor === undefined || waitsFor === 'nothing') continue
    model.mentions.set(pair, 'nothing')
    const billed = !failed && waitsFor === 'a score'
    const day = dayOf(at) > model.settled ? dayOf(at) : earlier(model.settled, -1)
    const before = model.usage.get(`${day} ${keyword}`) ?? { scored: 0, billable: 0, failed: 0 }
    const { scored, billable } = before
    model.usage.set(
      `${day} ${keyword}`,
      failed
        ? { ...before, failed: before.failed + 1 }
        : { ...before, scored: scored + 1, billable: billable + Number(billed) },
    )
    if (!billed) continue
    const { amount, mentions } = model.open.get(day) ?? { amount: 0, mentions: 0 }
    model.open.set(day, { amount: amount + MENTION, mentions: mentions + 1 })
    model.spent = true
  }
  return 'done'
}

/** Answers whether it was new under its key. */
function enter(model: WorkspaceModel, entry: Omit<EntryModel, 'balance'>): boolean {
  if (model.keys.has(entry.key)) return false
  model.keys.add(entry.key)
  model.balance += entry.amount
  model.entries.push({ ...entry, balance: model.balance })
  return true
}

function credit(
  model: WorkspaceModel,
  { name, amount, key }: Extract<Operation, { kind: 'credit' }>,
  at: Date,
): string {
  if (!enter(model, { kind: name, amount, key, day: null, units: null })) return 'done'
  model.lastCredit = amount
  model.lowTold = false
  const lifted = new Set<KeywordModel>()
  if (model.welcome) {
    model.welcome = false
    for (const keyword of ordered(model)) {
      const cap = capOf(model, keyword)
      if (!keyword.capped || (cap !== null && countOf(keyword, at) >= cap)) continue
      uncap(model, keyword, 'cap_raised', at)
      lifted.add(keyword)
    }
  }
  const stopped = stoppedShort(model)
  if (stopped.length === 0 || effective(model) < (running(model).length + stopped.length) * KEYWORD_DAY) return 'done'
  for (const keyword of stopped) {
    keyword.muted = false
    keyword.short = false
    // One that the balance had stopped too was not told of its limit yet.
    if (lifted.has(keyword)) tellResumed(model, keyword, 'cap_raised', at)
    // A capped one does not collect before its cap ends, and is told of then.
    if (!keyword.capped) tellResumed(model, keyword, 'balance_restored', at)
  }
  tell(model, 'wallet.resumed', { wallet: wallet(model), keywordsResumed: stopped.length, at: at.toISOString() })
  return 'done'
}

function run(model: WorkspaceModel, at: Date): string {
  const today = dayOf(at)
  if (isTooEarly(at) || model.settled >= earlier(today, 1)) return 'done'
  for (const day of [...model.open.keys()].filter((key) => key < today).sort()) {
    const { amount, mentions } = model.open.get(day)!
    model.open.delete(day)
    enter(model, { kind: 'debit_mentions', amount: -amount, key: `mentions ${day}`, day, units: mentions })
  }
  model.settled = earlier(today, 1)
  const due = running(model)
  if (due.length === 0) return tellLow(model, at)
  const cost = due.length * KEYWORD_DAY
  if (effective(model) < cost) return stop(model, at)
  for (const { id } of due) model.charged.add(`${today} ${id}`)
  enter(model, {
    kind: 'debit_keyword_days',
    amount: -cost,
    key: `keyword_days ${today}`,
    day: today,
    units: due.length,
  })
  return tellLow(model, at)
}

/** Between two runs only who spent is looked at, and stopped when nothing is left. */
function watch(model: WorkspaceModel, { leavesNote = false }: Extract<Operation, { kind: 'watch' }>, at: Date): string {
  if (!model.spent) return 'done'
  model.spent = leavesNote
  return effective(model) <= 0 && running(model).length > 0 ? stop(model, at) : tellLow(model, at)
}

function stop(model: WorkspaceModel, at: Date): string {
  const all = running(model)
  for (const keyword of all) {
    keyword.muted = true
    keyword.short = true
  }
  for (const keyword of all)
    tell(model, 'keyword.paused_for_balance', {
      keyword: told(keyword),
      pausedAt: at.toISOString(),
      wallet: wallet(model),
    })
  tell(model, 'wallet.paused', { wallet: wallet(model), keywordsPaused: all.length, at: at.toISOString() })
  return 'done'
}

function tellLow(model: WorkspaceModel, at: Date): string {
  const paused = stoppedShort(model).length > 0 && running(model).length === 0
  if (model.lowTold || paused || effective(model) * 5 > model.lastCredit) return 'done'
  model.lowTold = true
  tell(model, 'wallet.low', { wallet: wallet(model), lastCreditCents: cents(model.lastCredit), at: at.toISOString() })
  return 'done'
}

function tellResumed(model: WorkspaceModel, keyword: KeywordModel, reason: string, at: Date): void {
  tell(model, 'keyword.resumed', { keyword: told(keyword), reason, resumedAt: at.toISOString() })
}

function told({ id, term }: KeywordModel) {
  return { id: toId('kw', id), term, kind: 'brand' }
}

function wallet(model: WorkspaceModel) {
  const [active, paused] = [running(model).length, stoppedShort(model).length]
  return {
    balanceCents: cents(model.balance),
    effectiveCents: cents(effective(model)),
    nextDayCents: cents(active * KEYWORD_DAY),
    resumeCostCents: cents((active + paused) * KEYWORD_DAY),
    activeKeywords: active,
    pausedKeywords: paused,
  }
}

/** Whole cents, half up. */
function cents(amount: number): number {
  return Math.round(amount / 30)
}

function tell(model: WorkspaceModel, event: string, data: unknown): void {
  model.events.push(plain([event, data]))
}

/** As text that is the same in whatever order the keys are. */
export function plain(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    item !== null && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}

export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7)
}

function earlier(day: string, days: number): string {
  return dayOf(new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000))
}

function isTooEarly(at: Date): boolean {
  return at.getUTCHours() === 0 && at.getUTCMinutes() < 5
}
