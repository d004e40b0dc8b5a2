import { expect, test } from 'vitest'
import { createTestClock, type TestClock } from '../../../test/clock.ts'
import { randomFrom } from '../../../test/random.ts'
import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { CountingAlone } from './counting-alone.ts'
import {
  EARLY_GRANTS,
  EXCHANGE_GAP_MS,
  EXCHANGE_MS,
  type LimitChannel,
  LimitExchange,
  PEER_EXPIRES_MS,
} from './limit-exchange.ts'
import { MemoryLimits } from './memory-limits.ts'

const STEP_MS = 50
/** Enough for every exchange that is due. */
const SETTLED_MS = 2 * (EXCHANGE_MS + EXCHANGE_GAP_MS)

/** Carries messages to all processes in one order, one step after they were sent. */
class Bus {
  sent = 0
  private readonly processes = new Set<Process>()
  private readonly carried: string[] = []

  add(process: Process): void {
    this.processes.add(process)
  }

  remove(process: Process): void {
    this.processes.delete(process)
  }

  take(messages: readonly string[]): void {
    this.sent += messages.length
    this.carried.push(...messages)
  }

  carry(): void {
    for (const message of this.carried.splice(0)) for (const process of this.processes) process.received?.(message)
  }
}

class Process {
  received: ((message: string) => void) | null = null
  connected: () => void = () => undefined
  canSend = true
  peers = 0
  readonly limits: MemoryLimits
  readonly logged: string[] = []
  private readonly stop = new AbortController()

  constructor(
    clock: TestClock,
    private readonly bus: Bus,
  ) {
    const note = ({ event }: { event: string }) => void this.logged.push(event)
    const log = Object.assign(Object.create(silentLog), { warn: note, info: note })
    const channel: LimitChannel = {
      send: async (messages) => {
        if (!this.canSend) throw new Error('the database is away')
        bus.take(messages)
      },
      listen: (received, connected) => {
        this.received = received
        this.connected = connected
        connected()
      },
    }
    const alone = new CountingAlone(log, undefined)
    const onPeers = (count: number) => {
      this.peers = count
    }
    const exchange = new LimitExchange({ id: newUuid(clock.now()), channel, clock, alone, onPeers })
    this.limits = new MemoryLimits(clock, undefined, exchange.granted)
    bus.add(this)
    void exchange.run(this.limits.windows, this.stop.signal)
  }

  left(key: string, limit: number): number {
    return this.limits.windows.find(key)?.left(limit) ?? limit
  }

  grant(key: string, count: number, limit = 1000): number {
    return Array.from({ length: count }, () => this.limits.take(key, limit).granted).filter(Boolean).length
  }

  end(): void {
    this.bus.remove(this)
    this.stop.abort()
  }
}

function stage() {
  const clock = createTestClock()
  const bus = new Bus()
  const pass = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += STEP_MS) {
      await clock.advance(STEP_MS)
      bus.carry()
    }
  }
  const processes = async (count: number) => {
    const started = Array.from({ length: count }, () => new Process(clock, bus))
    await pass(SETTLED_MS)
    return started
  }
  return { clock, bus, pass, processes }
}

test('what one process grants counts in the others, and what is given back does not', async () => {
  const { processes, pass } = stage()
  const [one, two, three] = await processes(3)
  const granted = one!.limits.take('a', 10)
  two!.grant('a', 3)
  await pass(SETTLED_MS)
  expect([one, two, three].map((process) => process!.left('a', 10))).toEqual([6, 6, 6])
  one!.limits.giveBack('a', granted)
  await pass(SETTLED_MS)
  expect([one, two, three].map((process) => process!.left('a', 10))).toEqual([7, 7, 7])
  expect(three!.grant('a', 10, 10)).toBe(7)
})

test('a process without others tells nothing but its question at the start', async () => {
  const { processes, pass, bus } = stage()
  const [one] = await processes(1)
  one!.grant('a', 100)
  await pass(MINUTE_MS)
  expect([bus.sent, one!.peers, one!.logged]).toEqual([1, 0, []])
})

test('a busy caller is told at once', async () => {
  const { processes, pass } = stage()
  const [one, two] = await processes(2)
  await pass(4 * EXCHANGE_GAP_MS)
  one!.grant('calm', EARLY_GRANTS - 1)
  await pass(2 * EXCHANGE_GAP_MS)
  expect(two!.left('calm', 600)).toBe(600)
  one!.grant('busy', EARLY_GRANTS)
  await pass(2 * EXCHANGE_GAP_MS)
  expect(two!.left('busy', 600)).toBe(600 - EARLY_GRANTS)
})

test('a process that begins learns what counts already, and for how long', async () => {
  const { clock, bus, processes, pass } = stage()
  const [one] = await processes(1)
  one!.grant('a', 5)
  await pass(30 * SECOND_MS)
  one!.grant('a', 2)
  const late = new Process(clock, bus)
  late.grant('a', 1)
  await pass(SETTLED_MS)
  expect([one!.left('a', 10), late.left('a', 10)]).toEqual([2, 2])
  // Ages come in steps of ten seconds, and never too high.
  await pass(40 * SECOND_MS)
  expect([one!.grant('a', 10, 10), late.grant('a', 0)]).toEqual([7, 0])
})

test('processes that lost each other agree again', async () => {
  const { processes, pass } = stage()
  const [one, two] = await processes(2)
  one!.grant('a', 4)
  await pass(SETTLED_MS)
  const hears = two!.received
  two!.received = null
  one!.grant('a', 3)
  two!.grant('a', 2)
  await pass(SETTLED_MS)
  expect([one!.left('a', 20), two!.left('a', 20)]).toEqual([11, 14])
  two!.received = hears
  two!.connected()
  await pass(SETTLED_MS)
  expect([one!.left('a', 20), two!.left('a', 20)]).toEqual([11, 11])
})

test('a process that cannot tell counts alone, says so once, and tells later', async () => {
  const { processes, pass } = stage()
  const [one, two] = await processes(2)
  one!.canSend = false
  expect(one!.grant('a', 30, 20)).toBe(20)
  await pass(5 * SECOND_MS)
  expect([two!.left('a', 20), one!.logged]).toEqual([20, ['limits.alone']])
  one!.canSend = true
  await pass(SETTLED_MS)
  expect([two!.left('a', 20), one!.logged]).toEqual([0, ['limits.alone', 'limits.shared']])
})

test('a process that does not hear itself says that it is alone', async () => {
  const { processes, pass } = stage()
  const [one, two] = await processes(2)
  one!.received = null
  for (let second = 0; second < 10; second += 1) {
    one!.grant('a', 1)
    await pass(SECOND_MS)
  }
  expect([one!.logged, two!.logged]).toEqual([['limits.alone'], []])
})

test('a process that ends is forgotten', async () => {
  const { processes, pass } = stage()
  const [one, two] = await processes(2)
  expect([one!.peers, two!.peers]).toEqual([1, 1])
  two!.end()
  await pass(PEER_EXPIRES_MS + SETTLED_MS)
  expect(one!.peers).toBe(0)
})

test('what no process has written is passed over', async () => {
  const { processes, pass, bus } = stage()
  const [one] = await processes(1)
  bus.take(['', 'null', '{}', '[]', '{"from":"x","number":1,"counts":{"a":"9"}}', '{"from":1,"number":1}'])
  await pass(SETTLED_MS)
  expect([one!.peers, one!.left('a', 10)]).toEqual([0, 10])
})

const LIMIT = 100

/** Random requests at random processes; answers when each was granted. */
async function traffic(random: () => number, all: readonly Process[], seconds: number, at: ReturnType<typeof stage>) {
  const grantedAt: number[] = []
  for (let step = 0; step < (seconds * SECOND_MS) / STEP_MS; step += 1) {
    for (const process of all) {
      const granted = process.grant('a', random() < 0.1 ? Math.floor(random() * 4) : 0, LIMIT)
      grantedAt.push(...Array.from({ length: granted }, () => at.clock.monotonicMs()))
    }
    await at.pass(STEP_MS)
  }
  return grantedAt
}

test('however requests come, no minute sees more than the limit and what is on its way', async () => {
  const random = randomFrom(36)
  for (const count of [2, 3, 5]) {
    const at = stage()
    const all = await at.processes(count)
    const grantedAt = await traffic(random, all, 150, at)
    // Each of the others has told all but fewer than EARLY_GRANTS, and what came in two steps on the way.
    const onTheWay = (count - 1) * (EARLY_GRANTS + 2 * 3)
    const inMinutes = grantedAt.map((from) => grantedAt.filter((ms) => ms >= from && ms < from + MINUTE_MS).length)
    expect(Math.max(...inMinutes)).toBeLessThanOrEqual(LIMIT + onTheWay)
    expect(grantedAt.length).toBeGreaterThan(2 * LIMIT)
    await at.pass(SETTLED_MS)
    expect(new Set(all.map((process) => process.left('a', LIMIT))).size).toBe(1)
    for (const process of all) process.end()
  }
})
