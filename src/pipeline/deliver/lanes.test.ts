import { describe, expect, test } from 'vitest'
import type { Uuid } from '../../kernel/ids.ts'
import { LANE_WIDTH, type LaneResult } from './lane.ts'
import { Lanes, type SendableDelivery } from './lanes.ts'

interface Sent {
  channelId: string
  workspaceId: string
  waited: boolean
  end(passed?: LaneResult | null): Promise<void>
}

const TAKEN: LaneResult = { answered: true, durationMs: 5 }
const FAILED: LaneResult = { answered: false, durationMs: 10_000 }

/** Lanes whose requests end when the test says so. */
function setting() {
  const onWire: Sent[] = []
  const room: string[] = []
  const lanes = new Lanes<SendableDelivery>({
    send: (sendable, waited) =>
      new Promise((resolve) => {
        const sent: Sent = {
          ...sendable,
          waited,
          async end(passed = TAKEN) {
            onWire.splice(onWire.indexOf(sent), 1)
            resolve(passed)
            await new Promise((done) => setImmediate(done))
          },
        }
        onWire.push(sent)
      }),
    onRoom: (channelId) => void room.push(channelId),
  })
  const add = (channelId: string, count: number, workspaceId = 'one') => {
    for (let added = 0; added < count; added += 1)
      lanes.add({ channelId: channelId as Uuid, workspaceId: workspaceId as Uuid })
  }
  const of = (channelId: string) => onWire.filter((sent) => sent.channelId === channelId)
  return {
    lanes,
    onWire,
    room,
    add,
    of,
    size: (channelId: string) => lanes.sizeOf(channelId as Uuid),
    capacity: (channelId: string) => lanes.capacityOf(channelId as Uuid),
  }
}

describe('a lane', () => {
  test('has eight on the wire and the others wait their turn', async () => {
    const { onWire, add, size } = setting()
    add('a', 12)
    expect(onWire).toHaveLength(LANE_WIDTH)
    expect(size('a')).toBe(12)
    expect(onWire.some(({ waited }) => waited)).toBe(false)
    await onWire[0]!.end()
    expect(onWire).toHaveLength(LANE_WIDTH)
    expect(onWire.filter(({ waited }) => waited)).toHaveLength(1)
  })

  test('is narrowed by failures, down to one, and widened again by answers', async () => {
    const { onWire, add, of } = setting()
    add('a', 100)
    const widths: number[] = []
    for (let failures = 0; failures < 11; failures += 1) await onWire[0]!.end(FAILED)
    widths.push(of('a').length)
    for (let answers = 0; answers < 10; answers += 1) {
      await onWire[0]!.end()
      widths.push(of('a').length)
    }
    expect(widths).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8])
  })

  test('holds more where the receiver is quick, and hardly anything where it fails', async () => {
    const { lanes, onWire, add, capacity } = setting()
    expect(capacity('a')).toBe(16)
    add('a', 1)
    await onWire[0]!.end()
    expect(capacity('a')).toBe(128)
    add('b', 8)
    for (const sent of [...onWire]) await sent.end(FAILED)
    expect(capacity('b')).toBe(2)
    expect(lanes.limited(1000)).toEqual({ full: [], slow: ['b'] })
  })

  test('counts apart what is held up by receivers that fail', async () => {
    const { lanes, onWire, add } = setting()
    add('a', 8)
    for (const sent of [...onWire]) await sent.end(FAILED)
    expect(lanes.sizeOfSlow()).toBe(0)
    add('a', 3)
    add('b', 20)
    expect(lanes.sizeOfSlow()).toBe(3)
  })

  test('gives back what it has not begun and says when nothing is on the wire', async () => {
    const { lanes, onWire, add } = setting()
    add('a', 10)
    expect(lanes.takeUnbegun()).toHaveLength(2)
    let idle = false
    const waiting = lanes.idle().then(() => {
      idle = true
    })
    for (const sent of [...onWire].slice(1)) await sent.end()
    expect(idle).toBe(false)
    await onWire[0]!.end()
    await waiting
    expect(onWire).toEqual([])
  })
})

describe('the wire', () => {
  test('carries a bounded number of requests, and of one workspace a quarter of them', () => {
    const { onWire, add } = setting()
    for (let channel = 0; channel < 100; channel += 1) add(`a${channel}`, 8, 'many')
    expect(onWire).toHaveLength(256)
    add('b', 3, 'single')
    expect(onWire.filter(({ workspaceId }) => workspaceId === 'single')).toHaveLength(3)
    for (const workspace of ['c', 'd', 'e', 'f', 'g'])
      for (let channel = 0; channel < 100; channel += 1) add(`${workspace}${channel}`, 8, workspace)
    expect(onWire).toHaveLength(1024)
  })

  test('lets workspaces take turns when it is full, however many channels one of them has', async () => {
    const { onWire, add } = setting()
    for (const workspace of ['a', 'b', 'c', 'd'])
      for (let channel = 0; channel < 40; channel += 1) add(`${workspace}${channel}`, 8, workspace)
    expect(onWire).toHaveLength(1024)
    for (let channel = 0; channel < 40; channel += 1) add(`x${channel}`, 8, 'x')
    add('single', 1, 'y')
    for (let ended = 0; ended < 4; ended += 1) await onWire[0]!.end()
    expect(onWire.some(({ channelId }) => channelId === 'single')).toBe(true)
  })

  test('is not used up by receivers that are known to hang', async () => {
    const { onWire, add, of } = setting()
    for (let channel = 0; channel < 128; channel += 1) add(`dead${channel}`, 8, `w${channel}`)
    expect(onWire).toHaveLength(1024)
    for (const sent of [...onWire]) await sent.end(FAILED)
    for (let channel = 0; channel < 1000; channel += 1) add(`dead${channel % 128}`, 8, `w${channel % 128}`)
    expect(onWire.length).toBeLessThanOrEqual(256)
    add('alive', 8, 'w1')
    expect(of('alive')).toHaveLength(8)
  })
})
