import type { Uuid } from '../../src/kernel/ids.ts'
import { act } from './act.ts'
import { rival } from './choices.ts'
import { type Crash, crashing } from './crashing.ts'
import { apply, copyOf, type Operation, type Pair, touches, type WorkspaceModel } from './model.ts'
import { observe, pictureOf, unlike } from './observe.ts'
import { complain, type Stage } from './stage.ts'

/** Of the workspaces that an operation is about so many are looked at right after a crash. */
const SAMPLE = 10

/** Does an operation, now and then while another is done, or with a crash. */
export async function perform(stage: Stage, operation: Operation): Promise<void> {
  const draw = stage.random()
  if (draw < 0.15) await race(stage, [operation, await rival(stage, operation)])
  else if (draw < 0.28) await crash(stage, operation)
  else await alone(stage, operation)
}

async function alone(stage: Stage, operation: Operation): Promise<void> {
  const answer = await act(stage.processes[0]!, operation)
  expectSame(stage, operation, follow(stage, operation), answer)
  note(stage, operation, answer)
}

/** The operation fails at a random place and is repeated, as its user, its stage or its job would. */
async function crash(stage: Stage, operation: Operation): Promise<void> {
  const [services, other] = stage.processes
  const planned = crashPlan(stage)
  const failing = crashing(services!.db, planned)
  let answer: string | null = null
  try {
    answer = await act({ ...services!, db: failing.db }, operation)
  } catch (error) {
    if (!failing.happened()) throw error
  }
  const isLost = failing.happened() && planned.kind === 'after a commit'
  if (failing.happened()) stage.tally.crashes += 1
  if (failing.happened()) answer = await act(other!, operation)
  // What was committed although nobody learned of it is done once more, and must not be done twice.
  let expected = follow(stage, operation)
  if (isLost) expected = follow(stage, operation)
  expectSame(stage, operation, expected, answer!)
  note(stage, operation, answer!)
  await compare(
    stage,
    concerned(stage, operation),
    `${JSON.stringify(operation)} with a crash (${planned.kind} ${planned.at})`,
  )
}

function crashPlan(stage: Stage): Crash {
  const draw = stage.random()
  const at = 1 + Math.floor(stage.random() * 24)
  if (draw < 0.4) return { kind: 'throws', at }
  if (draw < 0.6) return { kind: 'dies', at }
  return { kind: draw < 0.8 ? 'before a commit' : 'after a commit', at: at < 20 ? 1 : 2 }
}

/**
 * Two operations at once, in two processes: for each workspace the outcome has to be that of one order or the other.
 */
async function race(stage: Stage, operations: readonly [Operation, Operation]): Promise<void> {
  const { models, clock, processes, tally } = stage
  const answers = await Promise.all(operations.map((operation, place) => act(processes[place]!, operation)))
  tally.races += 1
  for (const [place, operation] of operations.entries()) note(stage, operation, answers[place]!)
  if (operations[0] === operations[1] && operations[0].kind !== 'watch')
    return await sameTwice(stage, operations[0], answers)
  const shared = [...models.values()].filter(({ id }) => operations.every((operation) => touches(operation, id)))
  const seen = await observe(
    processes[0]!.db,
    shared.map(({ id }) => id),
  )
  for (const model of models.values()) {
    if (!shared.includes(model)) {
      for (const [place, operation] of operations.entries())
        if (touches(operation, model.id))
          expectOwn(stage, operation, apply(model, operation, clock.now()), answers[place]!)
      continue
    }
    const orders = ordersOf(model, operations, clock.now())
    const actual = seen.get(model.id)
    const found = firstOf(orders, (order) => {
      const { tried, isSaid } = outcomeOf(model, order, answers, clock.now())
      return isSaid && pictureOf(tried) === actual ? { tried, order } : null
    })
    if (found === null) {
      const shown = orders.slice(0, 2).map((order) => {
        const { tried, said } = outcomeOf(model, order, answers, clock.now())
        return `in this order ${said}\n${unlike(actual, pictureOf(tried))}`
      })
      complain(
        [`workspace ${model.id}: ${answers} is explained by no order`, ...shown],
        stage,
        `${JSON.stringify(operations[0])} beside ${JSON.stringify(operations[1])}`,
      )
      continue
    }
    if (found.order[0]!.place === 1) tally.overtaken += 1
    models.set(model.id, found.tried)
  }
}

/** The same twice at once is as if it had been done once, and then once more. */
async function sameTwice(stage: Stage, operation: Operation, answers: readonly string[]): Promise<void> {
  for (const answer of answers) expectSame(stage, operation, follow(stage, operation), answer)
  await compare(stage, concerned(stage, operation), `${JSON.stringify(operation)} twice at once`)
}

/** An operation in a race; null when it passes the workspace over, which somebody else holds, until its next look. */
type Placed = { place: number; operation: Operation | null }

/** Every way in which two operations may have come one after the other, the order in which they were started first. */
function ordersOf(model: WorkspaceModel, operations: readonly [Operation, Operation], at: Date): Placed[][] {
  const [first, second] = operations.map((operation, place) =>
    variantsOf(model, operation, operations[1 - place]!, at).map((variant) => ({ place, operation: variant })),
  )
  return first!.flatMap((item) =>
    second!.flatMap((other) => [
      [item, other],
      [other, item],
    ]),
  )
}

/**
 * All that an operation may do beside another: jobs may leave something for their next look, the turn of the month some
 * keywords, and a match what it turned away.
 */
function variantsOf(model: WorkspaceModel, operation: Operation, beside: Operation, at: Date): (Operation | null)[] {
  if (operation.kind === 'run') return [operation, null]
  if (operation.kind === 'watch')
    return beside.kind === 'take' || beside.kind === 'score'
      ? [operation, null, { ...operation, leavesNote: true }]
      : [operation, null]
  if (operation.kind === 'match') return [operation, { ...operation, pairs: admitted(model, operation, at) }]
  if (operation.kind !== 'turn') return [operation]
  const capped = [...model.keywords.values()].filter((keyword) => keyword.capped).map(({ id }) => id)
  return Array.from({ length: 2 ** capped.length }, (_, number) => ({
    kind: 'turn',
    passesOver: capped.filter((__, place) => (number >> place) % 2 === 1),
  }))
}

/**
 * What a match makes of this state. What it turned away it has looked at and left alone: no lock keeps another
 * operation from changing that before what it admits is stored, and a keyword turned away by its limit stays so
 * although the limit has just gone.
 */
function admitted(model: WorkspaceModel, operation: Extract<Operation, { kind: 'match' }>, at: Date): Pair[] {
  const tried = copyOf(model)
  apply(tried, operation, at)
  const isNew = (pair: string) => tried.mentions.has(pair) && !model.mentions.has(pair)
  return operation.pairs.filter(({ keyword, post }) => isNew(`${keyword} ${post}`))
}

function outcomeOf(model: WorkspaceModel, order: readonly Placed[], answers: readonly string[], at: Date) {
  const tried = copyOf(model)
  const said = order.flatMap(({ place, operation }) =>
    operation === null
      ? []
      : [
          {
            kind: operation.kind,
            isAnswer: 'workspace' in operation,
            expected: apply(tried, operation, at),
            answer: answers[place]!,
          },
        ],
  )
  const isSaid = said.every(({ expected, isAnswer, answer }) => !isAnswer || answer === expected)
  return { tried, isSaid, said: said.map(({ kind, expected }) => `${kind}: ${expected}`).join(', ') }
}

function firstOf<One, Result>(many: readonly One[], of: (item: One) => Result | null): Result | null {
  for (const item of many) {
    const result = of(item)
    if (result !== null) return result
  }
  return null
}

/** What the model makes of an operation; null where it concerns nobody in particular. */
function follow({ models, clock }: Stage, operation: Operation): string | null {
  for (const model of models.values()) {
    if (!touches(operation, model.id)) continue
    const answer = apply(model, operation, clock.now())
    if ('workspace' in operation) return answer
  }
  return null
}

function expectSame(stage: Stage, operation: Operation, expected: string | null, answer: string): void {
  if (expected !== null && expected !== answer)
    complain([`it answered ${answer} instead of ${expected}`], stage, JSON.stringify(operation))
}

function expectOwn(stage: Stage, operation: Operation, expected: string, answer: string): void {
  if ('workspace' in operation) expectSame(stage, operation, expected, answer)
}

/** The workspaces that an operation is about; of very many some. */
function concerned({ models, random }: Stage, operation: Operation): Uuid[] {
  const all = [...models.keys()].filter((id) => touches(operation, id))
  const begin = Math.floor(random() * Math.max(1, all.length - SAMPLE))
  return all.slice(begin, begin + SAMPLE)
}

/** Compares the pictures of these workspaces with those that the model expects. */
export async function compare(stage: Stage, ids: readonly Uuid[], what: string): Promise<void> {
  const seen = await observe(stage.processes[0]!.db, ids)
  for (const id of ids) {
    const expected = pictureOf(stage.models.get(id)!)
    if (seen.get(id) !== expected) complain([`workspace ${id}\n${unlike(seen.get(id), expected)}`], stage, what)
  }
}

function note({ tally }: Stage, operation: Operation, answer: string): void {
  const size =
    operation.kind === 'match' ? operation.pairs.length : operation.kind === 'score' ? operation.scores.length : 1
  tally.operations += Math.max(1, size)
  tally.done.set(operation.kind, (tally.done.get(operation.kind) ?? 0) + size)
  if (answer !== 'done') tally.refused += 1
}

export function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}
