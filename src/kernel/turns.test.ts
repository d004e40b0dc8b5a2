import { expect, test } from 'vitest'
import { createTestClock } from '../../test/clock.ts'
import { TurnNotWanted, Turns } from './turns.ts'

const LIMITS = { inAll: 3, perKey: 2, waiting: 2, waitMs: 1000 }
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Work that lasts until it is ended, by its name. */
function works() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name)
      ends.set(name, () => resolve(name))
    })
  const end = async (name: string) => {
    ends.get(name)!()
    await turn()
  }
  return { begun, work, end }
}

test('no key has more running than its bound, and all together no more than theirs', async () => {
  const turns = new Turns(createTestClock(), LIMITS)
  const { begun, work, end } = works()
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void turns.visit(name[0]!).take(work(name))
  await turn()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('b1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2'])
  await end('a1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'a3'])
})

test('a free place goes to the key whose last turn, or whose coming, is longest ago, however many of another wait', async () => {
  const turns = new Turns(createTestClock(), { ...LIMITS, inAll: 1, waiting: 10 })
  const { begun, work, end } = works()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void turns.visit(name[0]!).take(work(name))
  for (let at = 0; at < 6; at += 1) {
    await turn()
    await end(begun.at(-1)!)
  }
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('a visit that takes many turns at once gets them all in time', async () => {
  const turns = new Turns(createTestClock(), { ...LIMITS, perKey: 1 })
  const visits = [turns.visit('a'), turns.visit('a')]
  const answers = await Promise.all(visits.flatMap((visit) => [1, 2, 3, 4, 5].map((answer) => visit.take(async () => turn().then(() => answer)))))
  expect(answers).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5])
})

test('too many that wait for their first turn are sent away, of their key alone, and who has begun is not', async () => {
  const turns = new Turns(createTestClock(), { ...LIMITS, inAll: 2 })
  const { begun, work, end } = works()
  const first = turns.visit('a')
  void first.take(work('a1'))
  void turns.visit('a').take(work('a2'))
  for (const name of ['a3', 'a4']) void turns.visit('a').take(work(name))
  await expect(turns.visit('a').take(work('a5'))).rejects.toMatchObject({ name: 'NoTurn', reason: 'too many wait' })
  void turns.visit('a', { patient: true }).take(work('patient'))
  void first.take(work('more'))
  void turns.visit('b').take(work('b1'))
  for (const name of ['a1', 'a2', 'b1', 'a3', 'a4', 'patient', 'more']) {
    await turn()
    await end(name)
  }
  expect(begun).not.toContain('a5')
})

test('one visit waits for so long in all, unless it is patient', async () => {
  const clock = createTestClock()
  const turns = new Turns(clock, { ...LIMITS, inAll: 1 })
  const { begun, work, end } = works()
  void turns.visit('a').take(work('a1'))
  const visit = turns.visit('a')
  void visit.take(work('a2'))
  await clock.advance(600)
  await end('a1')
  const third = visit.take(work('a3'))
  const patient = turns.visit('b', { patient: true }).take(work('b1'))
  await clock.advance(399)
  await Promise.all([expect(third).rejects.toMatchObject({ name: 'NoTurn', reason: 'waited too long' }), clock.advance(1)])
  await clock.advance(10_000)
  await end('a2')
  await end('b1')
  expect([await patient, begun, clock.waits]).toEqual(['b1', ['a1', 'a2', 'b1'], 0])
})

test('who has gone waits no longer, and nothing of it is left', async () => {
  const clock = createTestClock()
  const turns = new Turns(clock, { ...LIMITS, inAll: 1 })
  const { begun, work, end } = works()
  void turns.visit('a').take(work('a1'))
  const gone = new AbortController()
  const waiting = turns.visit('b', { signal: gone.signal }).take(work('b1'))
  gone.abort()
  await expect(waiting).rejects.toBeInstanceOf(TurnNotWanted)
  await expect(turns.visit('b', { signal: gone.signal }).take(work('b2'))).rejects.toBeInstanceOf(TurnNotWanted)
  await end('a1')
  expect([begun, clock.waits]).toEqual([['a1'], 0])
})

test('work that fails gives its place back', async () => {
  const turns = new Turns(createTestClock(), { ...LIMITS, inAll: 1 })
  await expect(turns.visit('a').take(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await turns.visit('a').take(async () => 1)).toBe(1)
})
