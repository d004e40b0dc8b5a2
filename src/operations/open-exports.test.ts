import { describe, expect, test } from 'vitest'
import { isRefusal, refuse } from '../domain/refusal/refusal.ts'
import { newUuid } from '../kernel/ids.ts'
import { EXPORTS_OF_PROCESS, EXPORTS_OF_WORKSPACE, OpenExports } from './open-exports.ts'
import { type Streamed, streamed } from './streamed.ts'

const workspace = () => newUuid(new Date(0))
async function* lines(...all: string[]) {
  yield* all
}
const make = async () => streamed(lines('a', 'b'), { 'X-Said': 'yes' })
const outcomeOf = (answer: unknown) => (isRefusal(answer) ? [answer.code, answer.retryAfterSeconds] : 'open')
/** Opens as many as there is room for, and one more. */
async function fill(exports: OpenExports, most: number, workspaceOf: () => ReturnType<typeof workspace>) {
  const open: Streamed[] = []
  for (let at = 0; at < most; at += 1) open.push((await exports.open(workspaceOf(), undefined, make)) as Streamed)
  expect(open.map(outcomeOf)).toEqual(open.map(() => 'open'))
  return { open, refused: await exports.open(workspaceOf(), undefined, make) }
}

describe('exports that are open at the same time', () => {
  test('are few of one workspace, and one more when one was read', async () => {
    const exports = new OpenExports()
    const mine = workspace()
    const { open, refused } = await fill(exports, EXPORTS_OF_WORKSPACE, () => mine)
    expect(outcomeOf(refused)).toEqual(['rate_limited', 10])
    expect(outcomeOf(await exports.open(workspace(), undefined, make))).toBe('open')
    const read: string[] = []
    for await (const line of open[0]!.chunks) read.push(line)
    expect([read, open[0]!.headers]).toEqual([['a', 'b'], { 'X-Said': 'yes' }])
    expect(outcomeOf(await exports.open(mine, undefined, make))).toBe('open')
    expect(outcomeOf(await exports.open(mine, undefined, make))).toEqual(['rate_limited', 10])
  })

  test('are bounded of all workspaces together', async () => {
    expect(outcomeOf((await fill(new OpenExports(), EXPORTS_OF_PROCESS, workspace)).refused)).toEqual([
      'rate_limited',
      10,
    ])
  })

  test('are so no longer when they fail, are refused, are given up while they are read, or lose their reader', async () => {
    const exports = new OpenExports()
    const mine = workspace()
    const gone = new AbortController()
    for (let at = 0; at < 5; at += 1) {
      await expect(exports.open(mine, undefined, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
      expect(await exports.open(mine, undefined, async () => refuse('not_found', 'No.'))).toMatchObject({
        code: 'not_found',
      })
      for await (const line of ((await exports.open(mine, undefined, make)) as Streamed).chunks) if (line === 'a') break
    }
    for (let at = 0; at < EXPORTS_OF_WORKSPACE; at += 1)
      expect(outcomeOf(await exports.open(mine, gone.signal, make))).toBe('open')
    expect(outcomeOf(await exports.open(mine, undefined, make))).toEqual(['rate_limited', 10])
    gone.abort()
    await fill(exports, EXPORTS_OF_WORKSPACE, () => mine)
  })
})
