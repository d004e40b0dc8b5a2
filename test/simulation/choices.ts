import { randomUUID } from 'node:crypto'
import { dayStart, MINUTE_MS, plus } from '../../src/kernel/clock.ts'
import { groupBy } from '../../src/kernel/group.ts'
import { claimUnscored, readUnscored } from '../../src/store/model/unscored.ts'
import {
  type CreditName,
  effective,
  type KeywordModel,
  type Operation,
  type Pair,
  running,
  stoppedShort,
  type TakingName,
  type WorkspaceModel,
} from './model.ts'
import { chance, one, type Stage } from './stage.ts'

/** The next thing that somebody does, in this workspace or in any. */
export async function chosen(stage: Stage, at?: WorkspaceModel): Promise<Operation> {
  const model = at ?? someWorkspace(stage)
  const keyword = one(stage, [...model.keywords.values()])
  const draw = stage.random()
  if (!keyword || (draw < 0.08 && model.keywords.size < 6)) return creation(stage, model)
  if (draw < 0.14) return { kind: 'mute', workspace: model.id, keyword: keyword.id }
  if (draw < 0.26)
    return { kind: 'unmute', workspace: model.id, keyword: (one(stage, stoppedShort(model)) ?? keyword).id }
  if (draw < 0.32) return { kind: 'cap', workspace: model.id, keyword: keyword.id, cap: capFor(stage, keyword) }
  if (draw < 0.34) return { kind: 'remove', workspace: model.id, keyword: keyword.id }
  if (draw < 0.54) return { kind: 'match', pairs: pairs(stage, at ?? someWorkspace(stage, running)) }
  if (draw < 0.76) return await scoring(stage)
  if (draw < 0.78) return { kind: 'forget', posts: stage.posts.slice(-3).filter(() => chance(stage, 0.5)) }
  if (draw < 0.9) return crediting(stage, at ?? someWorkspace(stage, stoppedShort))
  if (draw < 0.95) return taking(stage, model)
  return { kind: draw < 0.97 ? 'turn' : 'watch' }
}

/** What an operation meets: the same once more, the daily run, or something else in the same workspace. */
export async function rival(stage: Stage, operation: Operation): Promise<Operation> {
  const draw = stage.random()
  if (operation.kind !== 'create' && draw < 0.3) return operation
  if (operation.kind !== 'run' && draw < 0.5) return { kind: 'run' }
  return await chosen(stage, 'workspace' in operation ? stage.models.get(operation.workspace) : undefined)
}

/**
 * Any workspace, or more often one that has keywords in this state: where something runs is matched, and where all
 * stands still is paid.
 */
function someWorkspace(stage: Stage, having?: (model: WorkspaceModel) => KeywordModel[]): WorkspaceModel {
  const all = [...stage.models.values()]
  const fit =
    having && chance(stage, 0.7)
      ? one(
          stage,
          all.filter((model) => having(model).length > 0),
        )
      : undefined
  return fit ?? one(stage, all)!
}

function creation(stage: Stage, { id }: WorkspaceModel): Operation {
  const cap = chance(stage, 0.3) ? one(stage, [1, 2, 5, 200])! : null
  return {
    kind: 'create',
    workspace: id,
    term: `term ${randomUUID()}`,
    muted: chance(stage, 0.15),
    cap,
    requestId: randomUUID(),
    made: null,
  }
}

/** Around what the keyword has, where limits are reached and lifted. */
function capFor(stage: Stage, { count: matches }: KeywordModel): number | null {
  return one(stage, [null, Math.max(1, matches), matches + 1, matches + 3, 200])!
}

/** New posts and some that came before, for some keywords of this and of other workspaces. */
function pairs(stage: Stage, model: WorkspaceModel): Pair[] {
  const made: Pair[] = []
  // Now and then as many as the limit of the welcome credit.
  const isBurst = model.welcome && chance(stage, 0.005)
  for (let more = isBurst ? 203 : 1 + Math.floor(stage.random() * 5); more > 0; more -= 1) {
    const post = chance(stage, 0.1) ? (one(stage, stage.posts.slice(-20)) ?? randomUUID()) : randomUUID()
    stage.posts.push(post)
    const other = isBurst || chance(stage, 0.7) ? model : someWorkspace(stage)
    for (const keyword of other.keywords.values())
      if (chance(stage, keyword.muted ? 0.1 : 0.7))
        made.push({ workspace: other.id, keyword: keyword.id, post, free: chance(stage, 0.1) })
  }
  // A post comes once, with all who want it.
  return [...groupBy(made, ({ post }) => post).values()].flat()
}

/** What waits longest, with the verdicts that it gets; some were begun on the day before. */
async function scoring({ processes, clock, random }: Stage): Promise<Operation> {
  const { db } = processes[0]!
  const at = clock.now()
  const claimed = await claimUnscored(db, { at, leasedUntil: at, limit: 1 + Math.floor(random() * 12), together: 3 })
  const scores = (await readUnscored(db, claimed)).map(({ workspaceId, keywordId, mentionId, post }) => {
    return { workspace: workspaceId, keyword: keywordId, post: post.nativeId, mentionId, failed: random() < 0.12 }
  })
  return { kind: 'score', at: random() < 0.15 ? plus(dayStart(at), -1 - random() * 60 * MINUTE_MS) : at, scores }
}

/** Money in, more often than not just enough, or just not. */
function crediting(stage: Stage, model: WorkspaceModel): Operation {
  const short = (running(model).length + stoppedShort(model).length) * 500 - effective(model)
  const days = 500 * Math.max(1, model.keywords.size) * Math.ceil(stage.random() * 120)
  const amount = one(stage, [short, short - 1, short + days, short + days, days, days])!
  const name = one<CreditName>(stage, ['topup', 'topup', 'auto_recharge', 'grant'])!
  return { kind: 'credit', workspace: model.id, name, amount: Math.max(1, amount), key: paymentKey(stage) }
}

/** Money out, more often than not to where something begins or just before. */
function taking(stage: Stage, model: WorkspaceModel): Operation {
  const due = running(model).length * 500
  const left = one(stage, [
    0,
    1,
    -1,
    due,
    due - 1,
    Math.floor(model.lastCredit / 5),
    Math.floor(model.lastCredit / 5) + 1,
    -3000,
  ])!
  const amount = effective(model) - left
  const name = one<TakingName>(stage, ['refund', 'dispute', 'adjustment'])!
  return { kind: 'take', workspace: model.id, name, amount: amount > 0 ? amount : 30, key: paymentKey(stage) }
}

/** Mostly a new one; an old one is an event that comes again. */
function paymentKey(stage: Stage): string {
  const key = chance(stage, 0.1) ? (one(stage, stage.keys.slice(-20)) ?? randomUUID()) : `payment ${randomUUID()}`
  stage.keys.push(key)
  return key
}
