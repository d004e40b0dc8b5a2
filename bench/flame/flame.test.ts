import { describe, expect, test } from 'vitest'
import { type CpuProfile, microsByRoom, roomOfFrame, treeOf } from './profile.ts'
import { flameSvg } from './svg.ts'

const frame = (
  id: number,
  functionName: string,
  url: string,
  children: number[] = [],
): CpuProfile['nodes'][number] => ({
  id,
  callFrame: { functionName, url, lineNumber: 0 },
  children,
})

/** Two versions of one function of matching, a hash that a channel asked for, and idle time; a look every 10 µs. */
const profile: CpuProfile = {
  nodes: [
    frame(1, '(root)', '', [2, 3, 4, 6]),
    frame(2, 'match', 'file:///x/dist/matching/matcher.js'),
    frame(3, 'match', 'file:///x/dist/matching/matcher.js'),
    frame(4, 'render', 'file:///x/dist/channels/webhook/sender.js', [5]),
    frame(5, 'update', 'node:internal/crypto/hash'),
    frame(6, '(idle)', ''),
  ],
  startTime: 1000,
  samples: [2, 3, 5, 6, 5, 2],
  timeDeltas: [10, 10, 10, 10, 10, 10],
}

describe('a profile', () => {
  test('counts what each room used, the functions of the runtime for whoever called them, and no idle time', () => {
    const rooms = microsByRoom(treeOf(profile, 0, 10_000))
    expect(rooms.get('matching')).toBe(20)
    expect(rooms.get('channels')).toBe(20)
    expect(rooms.get('runtime')).toBe(0)
  })

  test('leaves out what lies outside the time that is asked for', () => {
    expect(treeOf(profile, 1025, 1035).micros).toBe(10)
    expect(treeOf(profile, 0, 1000).micros).toBe(0)
  })

  test('puts the versions of a function together', () => {
    expect(treeOf(profile, 0, 10_000).children.map(({ name }) => name)).toEqual([
      'match matching/matcher',
      'render channels/webhook/sender',
    ])
  })

  test('knows rooms by folder and libraries by who uses them', () => {
    expect(roomOfFrame('file:///x/dist/store/ingest.js', 'ingest')).toBe('store and pg')
    expect(roomOfFrame('file:///x/node_modules/pg/lib/client.js', 'query')).toBe('store and pg')
    expect(roomOfFrame('file:///x/node_modules/pino/pino.js', 'write')).toBe('other rooms')
    expect(roomOfFrame('node:net', 'write')).toBe(null)
    expect(roomOfFrame('', '(garbage collector)')).toBe('garbage collection')
  })
})

describe('the picture', () => {
  const svg = flameSvg(treeOf(profile, 0, 10_000), { title: 'A & B', subtitle: '<quick>' })

  test('is one well-formed document without scripts', () => {
    expect(svg).toContain('A &amp; B')
    expect(svg).toContain('&lt;quick&gt;')
    expect(svg).not.toContain('<script')
    expect(svg.match(/<g>/g)).toHaveLength(svg.match(/<\/g>/g)!.length)
  })

  test('draws frames as wide as their share', () => {
    const widths = [...svg.matchAll(/<rect x="[\d.]+" y="\d+" width="([\d.]+)" height="16"/g)].map(([, width]) =>
      Number(width),
    )
    expect(widths).toEqual([1179.6, 589.6, 589.6, 589.6])
  })

  test('is the same every time', () => {
    expect(flameSvg(treeOf(profile, 0, 10_000), { title: 'A & B', subtitle: '<quick>' })).toBe(svg)
  })
})
