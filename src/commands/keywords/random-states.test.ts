import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import type { NewMention } from '../mentions/ingest-posts.ts'
import { runDay } from '../wallet/daily-run.ts'
import { grantCredit } from '../wallet/grant-credit.ts'
import { hearing, nextRun, setBalance, toldTo } from '../wallet/wallet-setting.suite.ts'
import { startMonth } from './start-month.ts'
import { updateKeyword } from './update-keyword.ts'

/** What users, platforms, the wallet and the calendar do to keywords. */
type Step =
  | { kind: 'match'; keyword: number; count: number }
  | { kind: 'score'; keyword: number; count: number; relevance: number | null }
  | { kind: 'mute' | 'unmute' | 'rules'; keyword: number }
  | { kind: 'cap'; keyword: number; cap: number | null }
  | { kind: 'wait'; ms: number }
  | { kind: 'day' | 'month' | 'top up' | 'empty' | 'fill' }

const KEYWORDS = 3
const keyword = fc.nat(KEYWORDS - 1)
const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('match' as const), keyword, count: fc.constantFrom(1, 3, 12, 25) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('score' as const),
      keyword,
      count: fc.constantFrom(1, 6, 20, 30),
      relevance: fc.constantFrom(0, 10, 39, 40, null),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('mute' as const, 'unmute' as const, 'unmute' as const, 'rules' as const, 'rules' as const),
      keyword,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('cap' as const),
      keyword,
      cap: fc.constantFrom(1, 5, 12, 30, 200, 500, null),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(HOUR_MS, DAY_MS, 13 * DAY_MS, 31 * DAY_MS),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('day' as const, 'month' as const, 'month' as const, 'empty' as const, 'fill' as const),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'top up' as const }) },
)

/** So much at once that a keyword may be stopped for it. */
const BURST: fc.Arbitrary<Step[]> = fc
  .record({ keyword, relevance: fc.constantFrom(0, 39, 40) })
  .map(({ keyword, relevance }): Step[] => [
    { kind: 'match', keyword, count: 25 },
    { kind: 'score', keyword, count: 30, relevance },
  ])
const STEPS = fc
  .array(fc.oneof({ weight: 8, arbitrary: STEP.map((step) => [step]) }, { weight: 1, arbitrary: BURST }), {
    minLength: 25,
    maxLength: 55,
  })
  .map((parts) => parts.flat())

/**
 * What the specification says of running states, told again by itself: nothing of it is shared with the code under
 * test.
 */
interface KeywordModel {
  stop: 'nothing' | 'caller' | 'balance' | 'noise'
  capped: boolean
  own: number | null
  month: string
  count: number
  judgedSince: number
  /** When each match was made, and its relevance once it has one; undefined while it waits. */
  matches: { at: number; relevance: number | null | undefined }[]
}

interface Model {
  welcome: boolean
  /** Whether the balance pays for anything; it is either large or nothing. */
  funded: boolean
  keywords: KeywordModel[]
  events: string[]
  /** The last day that the daily run has seen. */
  ran: string
}

const monthOf = (at: number) => new Date(at).toISOString().slice(0, 7)
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
const countOf = (keywordModel: KeywordModel, at: number) =>
  keywordModel.month === monthOf(at) ? keywordModel.count : 0
const capOf = ({ welcome }: Model, { own }: KeywordModel) => (welcome ? Math.min(own ?? 200, 200) : own)

/** Does a step to the model; answers what a caller is told. */
function apply(model: Model, step: Step, at: number): string {
  const tell = (event: string, number: number, reason = '') =>
    model.events.push([event, number, reason].join(' ').trim())
  const uncap = (number: number, reason: string) => {
    const keywordModel = model.keywords[number]!
    keywordModel.capped = false
    if (keywordModel.stop === 'nothing') tell('keyword.resumed', number, reason)
  }
  const reach = (number: number) => {
    const keywordModel = model.keywords[number]!
    const cap = capOf(model, keywordModel)
    if (keywordModel.capped || cap === null || countOf(keywordModel, at) < cap) return
    keywordModel.capped = true
    if (keywordModel.stop === 'nothing') tell('keyword.capped', number)
  }
  switch (step.kind) {
    case 'match': {
      const keywordModel = model.keywords[step.keyword]!
      const cap = capOf(model, keywordModel)
      const free = cap === null ? step.count : Math.max(0, cap - countOf(keywordModel, at))
      const count = keywordModel.stop === 'nothing' ? Math.min(step.count, free) : 0
      if (count === 0) return 'done'
      if (keywordModel.capped) uncap(step.keyword, 'month_turned')
      keywordModel.count = countOf(keywordModel, at) + count
      keywordModel.month = monthOf(at)
      for (let made = 0; made < count; made += 1) keywordModel.matches.push({ at, relevance: undefined })
      reach(step.keyword)
      return 'done'
    }
    case 'score': {
      const keywordModel = model.keywords[step.keyword]!
      const waiting = keywordModel.matches.filter(({ relevance }) => relevance === undefined).slice(0, step.count)
      for (const match of waiting) match.relevance = step.relevance
      const first = dayOf(at - 13 * DAY_MS)
      const judged = keywordModel.matches.filter(
        (match) =>
          typeof match.relevance === 'number' && match.at >= keywordModel.judgedSince && dayOf(match.at) >= first,
      )
      const relevant = judged.filter(({ relevance }) => relevance! >= 40).length
      if (
        waiting.length > 0 &&
        keywordModel.stop === 'nothing' &&
        model.welcome &&
        judged.length >= 20 &&
        relevant * 10 < 3 * judged.length
      )
        keywordModel.stop = 'noise'
      return 'done'
    }
    case 'mute':
      model.keywords[step.keyword]!.stop = 'caller'
      return 'done'
    case 'unmute': {
      const keywordModel = model.keywords[step.keyword]!
      if (keywordModel.stop === 'nothing') return 'done'
      if (!model.funded) return 'insufficient_balance'
      keywordModel.stop = 'nothing'
      keywordModel.judgedSince = at
      return 'done'
    }
    case 'rules': {
      const keywordModel = model.keywords[step.keyword]!
      keywordModel.judgedSince = at
      if (keywordModel.stop === 'noise' && model.funded) keywordModel.stop = 'nothing'
      return 'done'
    }
    case 'cap': {
      const keywordModel = model.keywords[step.keyword]!
      if (!(model.welcome && step.cap === 200)) keywordModel.own = step.cap
      const cap = capOf(model, keywordModel)
      if (keywordModel.capped && (cap === null || countOf(keywordModel, at) < cap))
        uncap(step.keyword, cap === null ? 'cap_removed' : 'cap_raised')
      reach(step.keyword)
      return 'done'
    }
    case 'month':
      for (const [number, keywordModel] of model.keywords.entries())
        if (keywordModel.capped && keywordModel.month < monthOf(at)) uncap(number, 'month_turned')
      return 'done'
    case 'day': {
      if (model.ran === dayOf(at)) return 'done'
      model.ran = dayOf(at)
      const running = [...model.keywords.entries()].filter(([, { stop }]) => stop === 'nothing')
      if (running.length === 0 || model.funded) return 'done'
      for (const [number, keywordModel] of running) {
        keywordModel.stop = 'balance'
        tell('keyword.paused_for_balance', number)
      }
      model.events.push('wallet.paused')
      return 'done'
    }
    case 'top up': {
      model.funded = true
      const freed = new Set<number>()
      if (model.welcome) {
        model.welcome = false
        for (const [number, keywordModel] of model.keywords.entries()) {
          const cap = capOf(model, keywordModel)
          if (keywordModel.capped && (cap === null || countOf(keywordModel, at) < cap)) {
            uncap(number, 'cap_raised')
            if (keywordModel.stop === 'balance') freed.add(number)
          }
        }
      }
      const stopped = [...model.keywords.entries()].filter(([, { stop }]) => stop === 'balance')
      for (const [number, keywordModel] of stopped) {
        keywordModel.stop = 'nothing'
        keywordModel.judgedSince = at
        if (freed.has(number)) tell('keyword.resumed', number, 'cap_raised')
        if (!keywordModel.capped) tell('keyword.resumed', number, 'balance_restored')
      }
      if (stopped.length > 0) model.events.push('wallet.resumed')
      return 'done'
    }
    case 'empty':
    case 'fill':
      model.funded = step.kind === 'fill'
      return 'done'
    case 'wait':
      return 'done'
  }
}

let rules = 0
const world = useWorld()

const RICH_CENTS = 10_000_000

/** Does a step with the real commands, and answers what the caller is told. */
async function act(
  workspace: TestWorkspace,
  keywords: readonly TestKeyword[],
  unscored: NewMention[][],
  step: Step,
): Promise<string> {
  const change = async (number: number, input: Parameters<typeof updateKeyword>[2]) => {
    const answer = await updateKeyword(workspace, keywords[number]!.uuid, input)
    return isRefusal(answer) ? answer.code : 'done'
  }
  switch (step.kind) {
    case 'match':
      unscored[step.keyword]!.push(
        ...(await store(
          world,
          Array.from({ length: step.count }, () => matchedBy(makePost(world), [keywords[step.keyword]!])),
        )),
      )
      return 'done'
    case 'score':
      await score(
        world,
        unscored[step.keyword]!.splice(0, step.count),
        step.relevance === null ? null : { relevance: step.relevance },
      )
      return 'done'
    case 'mute':
      return await change(step.keyword, { muted: true })
    case 'unmute':
      return await change(step.keyword, { muted: false })
    case 'rules':
      rules += 1
      return await change(
        step.keyword,
        rules % 2 === 0 ? { context: `context ${rules}` } : { matching: { excludedTerms: [`term ${rules}`] } },
      )
    case 'cap':
      return await change(step.keyword, { cap: step.cap === null ? null : { mentions: step.cap } })
    case 'month':
      await startMonth(world.services)
      return 'done'
    case 'day':
      await runDay(world.services)
      return 'done'
    case 'top up':
      await grantCredit(workspace, RICH_CENTS)
      return 'done'
    case 'empty':
      await setBalance(world, workspace, 0)
      return 'done'
    case 'fill':
      await setBalance(world, workspace, RICH_CENTS * 30)
      return 'done'
    case 'wait':
      return 'done'
  }
}

async function statesOf({ workspaceId }: TestWorkspace) {
  return await world.db.query<Record<string, unknown>>(sql`
    select k.muted, k.paused_for_balance as short, k.paused_for_noise as noise, k.paused_for_cap as capped,
      k.cap_own as own, c.mentions
    from keyword k join keyword_counter c on c.workspace_id = k.workspace_id and c.keyword_id = k.id
      where k.workspace_id = ${workspaceId} order by k.id`)
}

function expectedOf({ keywords }: Model) {
  return keywords.map(({ stop, capped, own, matches }) => ({
    ...{
      muted: stop !== 'nothing',
      short: stop === 'balance',
      noise: stop === 'noise',
      capped,
      own,
      mentions: matches.length,
    },
  }))
}

const SEED = Number(process.env['STATES_SEED'] ?? randomInt(2 ** 31))

test(`random steps, times and months leave every keyword in the state that the specification says, and tell it in order (STATES_SEED=${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(STEPS, async (steps) => {
      // Each begins after a run of the day, so that the next one is always another day's.
      nextRun(world)
      await runDay(world.services)
      const workspace = await hearing(world)
      const keywords: TestKeyword[] = []
      for (let number = 0; number < KEYWORDS; number += 1) keywords.push(await makeKeyword(workspace))
      await setBalance(world, workspace, RICH_CENTS * 30)
      const now = world.clock.now().getTime()
      const fresh = {
        stop: 'nothing',
        capped: false,
        own: null,
        month: monthOf(now),
        count: 0,
        judgedSince: now,
      } as const
      const model: Model = {
        welcome: true,
        funded: true,
        keywords: keywords.map(() => ({ ...fresh, matches: [] })),
        events: [],
        ran: dayOf(now),
      }
      const unscored: NewMention[][] = keywords.map(() => [])
      for (const step of steps) {
        await world.clock.advance(step.kind === 'wait' ? step.ms : SECOND_MS)
        // Before five past the day has not begun.
        if (step.kind === 'day') nextRun(world)
        expect([step, await act(workspace, keywords, unscored, step)]).toEqual([
          step,
          apply(model, step, world.clock.now().getTime()),
        ])
        expect([step, await statesOf(workspace)]).toEqual([step, expectedOf(model)])
      }
      const told = (await toldTo(world, workspace)).filter(({ event }) => event !== 'wallet.low')
      const plain = told.map(({ event, data }) => {
        const number = keywords.findIndex(({ shown }) => shown.id === data.keyword?.id)
        return [event, ...(number === -1 ? [] : [number]), data.reason ?? ''].join(' ').trim()
      })
      expect(plain).toEqual(model.events)
    }),
    { numRuns: 25, seed: SEED, endOnFailure: true },
  )
}, 180_000)
