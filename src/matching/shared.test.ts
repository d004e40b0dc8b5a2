import { afterEach, describe, expect, test } from 'vitest'
import { randomFrom } from '../../test/random.ts'
import { Acceptance } from './acceptance.ts'
import { attachMatcher, createMatcher, isAddress, type Matcher } from './index.ts'
import { post, rules } from './makers.suite.ts'
import { referenceAccepts } from './reference.suite.ts'
import { RuleBook } from './rule-book.ts'
import { newControl, SequenceReading, SequenceWriting } from './sequence.ts'
import {
  answerOf,
  BEGUN,
  type Change,
  DONE,
  filler,
  isFiller,
  READY,
  type ReaderLog,
  randomChange,
  STOPPED,
  startReader,
  TEXTS,
  uuid,
} from './shared-threads.suite.ts'
import { Subscribers } from './subscribers.ts'
import { TERM_NEXT } from './term-index.ts'
import { TermRegister } from './term-register.ts'
import { multiplierOf } from './text-scan.ts'

describe('a reader of a shared matcher', () => {
  test('sees what was there before it was attached and every change after it', () => {
    const matcher = createMatcher()
    matcher.put(uuid(1), rules('acme'), 7)
    const reader = attachMatcher(matcher.share())
    expect([reader.match(post('acme')), reader.size]).toEqual([[uuid(1)], 1])
    matcher.put(uuid(2), rules('acme', { requiredTerms: ['corp'] }), 8)
    expect(reader.matchOwned(post('acme corp'))).toEqual({ ids: [uuid(2), uuid(1)], owners: [8, 7] })
    matcher.put(uuid(1), rules('acme.com'))
    expect(reader.match(post('', { links: ['https://acme.com'] }))).toEqual([uuid(1)])
    matcher.put(uuid(1), rules('->'))
    expect(reader.match(post('a->b'))).toEqual([uuid(1)])
    for (const id of matcher.ids()) matcher.remove(id)
    expect([reader.match(post('acme corp a->b')), reader.size]).toEqual([[], 0])
  })

  test('keeps up with a matcher that grows by far and shrinks again', () => {
    const matcher = createMatcher()
    const reader = attachMatcher(matcher.share())
    const late = () => attachMatcher(matcher.share())
    for (let number = 0; number < 30_000; number += 1) {
      apply(matcher, filler(number))
      if (number % 1000 === 0)
        expect(reader.match(post(`filler ${number} of many ${number % 7}, needs ${number}`))).toEqual([
          filler(number).id,
        ])
    }
    for (const matchReader of [reader, late()])
      expect(matchReader.match(post('filler 29999 of many 4'))).toEqual([filler(29_999).id])
    for (let number = 0; number < 29_999; number += 1) matcher.remove(filler(number).id)
    for (const item of [reader, late()])
      expect(item.match(post('filler 29999 of many 4 filler 29998 of many 3'))).toEqual([filler(29_999).id])
  })

  test('never answers the id that had a place before', () => {
    const matcher = createMatcher()
    const reader = attachMatcher(matcher.share())
    for (let round = 0; round < 5; round += 1) {
      matcher.put(uuid(round), rules('acme', { excludedTerms: [`word${round}`] }), round)
      // Asked several times, so that the text of the id and the answer of the rules are kept.
      for (let time = 0; time < 3; time += 1)
        expect(reader.matchOwned(post('acme'))).toEqual({ ids: [uuid(round)], owners: [round] })
      expect(reader.match(post(`acme word${round}`))).toEqual([])
      matcher.remove(uuid(round))
    }
  })

  test('needs ids that are UUIDs: others are refused, before and after sharing, and change nothing', () => {
    const matcher = createMatcher()
    matcher.put('mine', rules('acme'))
    expect(() => matcher.share()).toThrow(/needs UUIDs.*"mine"/)
    matcher.remove('mine')
    const reader = attachMatcher(matcher.share())
    expect(() => matcher.put('mine', rules('acme'))).toThrow(RangeError)
    expect([reader.match(post('acme')), matcher.size, matcher.stats().terms]).toEqual([[], 0, 0])
  })

  test('is left alone by what changes nothing and by what is refused', () => {
    const matcher = createMatcher()
    const shared = matcher.share()
    matcher.put(uuid(1), rules('acme', { excludedTerms: ['b', 'a'] }), 3)
    const before = [...new Int32Array(shared.control)]
    expect(matcher.put(uuid(1), rules('ACME', { excludedTerms: ['A', 'b'] }), 3)).toBe(false)
    expect(matcher.remove(uuid(2))).toBe(false)
    for (const refused of [rules('x'.repeat(5000)), rules('acme', { requiredTerms: ['y', 'x'.repeat(5000)] })]) {
      expect(() => matcher.put(uuid(1), refused)).toThrow(RangeError)
    }
    expect([...new Int32Array(shared.control)]).toEqual(before)
    expect(matcher.put(uuid(1), rules('acme', { excludedTerms: ['b', 'a'] }), 4)).toBe(true)
    expect(matcher.put(uuid(1), rules('acme', { excludedTerms: ['b', 'a'], caseSensitive: true }), 4)).toBe(true)
  })
})

describe('reading while something changes', () => {
  test('is done again until nothing has changed in between', () => {
    const control = newControl()
    const writing = new SequenceWriting(control)
    let reads = 0
    const answer = new SequenceReading(control).consistent(() => {
      reads += 1
      if (reads < 10) {
        writing.begin()
        writing.end()
      }
      return reads
    })
    expect(answer).toBe(10)
  })

  test('ends with an error when the writer never finishes', () => {
    const control = newControl()
    new SequenceWriting(control).begin()
    expect(() => new SequenceReading(control, 5).consistent(() => 0)).toThrow(/stopped in the middle of a change/)
  })

  test('does not hold the writer up by a reader that asked for a pause and vanished', () => {
    const control = newControl()
    const writing = new SequenceWriting(control)
    const asked = 16
    for (let reader = 0; reader < 3; reader += 1) {
      Atomics.add(new Int32Array(control), asked, 1)
      for (let change = 0; change < 1000; change += 1) {
        writing.begin()
        writing.end()
      }
    }
    expect(Atomics.load(new Int32Array(control), 0)).toBe(6000)
  })

  test('ends and throws nothing where lists lead behind the end of what can be read', () => {
    const index = new TermRegister(multiplierOf(1))
    const acceptance = new Acceptance(index, new RuleBook(), new Subscribers(), multiplierOf(1))
    const [term, other] = ['acme', 'corp'].map((text) => index.add(index.read(text, false)!))
    index.arena[term! + TERM_NEXT] = 50_000_000
    index.setFirstSubscriber(other!, 60_000_000)
    acceptance.read(post('acme corp'))
    expect(acceptance.ids()).toEqual([])
  })
})

describe('readers in other threads', () => {
  const running: { stop(): Promise<unknown> }[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((reader) => reader.stop()))
  })

  test('answer what was true at one moment of their question, whatever is added, replaced, removed and moved meanwhile', async () => {
    const random = randomFrom(5)
    const matcher = createMatcher()
    const signals = new SharedArrayBuffer(16)
    const cells = new Int32Array(signals)
    const readers = [0, 1].map(() => startReader({ shared: matcher.share(), signals, texts: TEXTS }))
    running.push(...readers)
    await readyReaders(cells, readers)
    const changes = changesOfTest(random)
    for (const [at, change] of changes.entries()) {
      Atomics.store(cells, BEGUN, at + 1)
      apply(matcher, change)
      Atomics.store(cells, DONE, at + 1)
      // A writer that does something else now and then: readers meet it both ways.
      if (at % 5000 < 1000) for (const text of TEXTS) matcher.match(text)
    }
    Atomics.store(cells, STOPPED, 1)
    Atomics.notify(cells, STOPPED)
    const logs = await Promise.all(readers.map(({ log }) => log))
    const history = historyOf(changes)
    for (const log of logs) {
      expect(log.entries.length / 4).toBeGreaterThan(500)
      expect(new Set(log.answers).size).toBeGreaterThan(50)
      expect(wrongAnswers(log, history)).toEqual([])
      expect(log.last).toEqual(TEXTS.map((text) => answerOf(matcher.matchOwned(text))))
      expect(log.last).toEqual(answersOfReference(changes))
      expect(log.size).toBe(matcher.size)
    }
  }, 120_000)
})

const CHANGES = 12_000

/** Three in four are about the texts; between them the index grows to many times its size and shrinks again. */
function changesOfTest(random: () => number): Change[] {
  return Array.from({ length: CHANGES }, (_, at) => {
    if (at % 4 !== 0) return randomChange(random)
    const number = at / 4
    return number < CHANGES / 6 ? filler(number) : { ...filler(number - CHANGES / 6), rules: null }
  })
}

function apply(matcher: Matcher, { id, rules, owner }: Change): void {
  if (rules === null) matcher.remove(id)
  else matcher.put(id, rules, owner)
}

/** Of each text the answer after every change, as numbers: a matcher of one thread says what is right. */
function historyOf(changes: readonly Change[]): { answers: Map<string, number>; after: Int32Array[] } {
  const matcher = createMatcher()
  const answers = new Map<string, number>()
  const after = TEXTS.map(() => new Int32Array(changes.length + 1))
  const note = (version: number) => {
    for (const [text, numbers] of after.entries()) {
      const answer = answerOf(matcher.matchOwned(TEXTS[text]!))
      const number = answers.get(answer) ?? answers.size
      answers.set(answer, number)
      numbers[version] = number
    }
  }
  note(0)
  for (const [at, change] of changes.entries()) {
    apply(matcher, change)
    if (isFiller(change)) for (const numbers of after) numbers[at + 1] = numbers[at]!
    else note(at + 1)
  }
  return { answers, after }
}

function wrongAnswers({ entries, answers }: ReaderLog, history: ReturnType<typeof historyOf>): string[] {
  const wrong: string[] = []
  for (let at = 0; at < entries.length; at += 4) {
    const [text, done, begun, answer] = [...entries.subarray(at, at + 4)] as [number, number, number, number]
    const number = history.answers.get(answers[answer]!)
    const isRight = history.after[text]!.subarray(done, begun + 1).some((value) => value === number)
    if (!isRight && wrong.length < 5)
      wrong.push(`text ${text} between the changes ${done} and ${begun}: ${answers[answer]}`)
  }
  return wrong
}

/** What the rules in their slow and obvious form say of each text after all changes. */
function answersOfReference(changes: readonly Change[]): string[] {
  const state = new Map<string, Change>()
  for (const change of changes) {
    if (change.rules === null) state.delete(change.id)
    else state.set(change.id, change)
  }
  return TEXTS.map((text) => {
    const accepting = [...state.values()].filter((change) => referenceAccepts(change.rules!, text, isAddress))
    return answerOf({ ids: accepting.map(({ id }) => id), owners: accepting.map(({ owner }) => owner) })
  })
}

/** Until all match, or until one of them fails. */
async function readyReaders(cells: Int32Array, readers: readonly { log: Promise<ReaderLog> }[]): Promise<void> {
  const failed = Promise.race(readers.map(({ log }) => log))
  for (let ready = 0; ready < readers.length; ready = Atomics.load(cells, READY)) {
    await Promise.race([failed, Atomics.waitAsync(cells, READY, ready, 1000).value])
  }
}
