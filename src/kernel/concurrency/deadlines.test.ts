import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeadlines } from './deadlines.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

test('what is not cleared is over after the limit, each thing once, in the order in which they were set', () => {
  const over: [string, number][] = []
  const beganMs = performance.now()
  const deadlines = createDeadlines<string>(60, (text) => void over.push([text, performance.now() - beganMs]))
  for (const text of ['a', 'b', 'c', 'd']) deadlines.set(text)
  deadlines.clear('b')
  vi.advanceTimersByTime(20)
  deadlines.set('a')
  vi.advanceTimersByTime(1000)
  const first = [
    ['c', 60],
    ['d', 60],
    ['a', 80],
  ]
  expect(over).toEqual(first)
  deadlines.set('e')
  vi.advanceTimersByTime(1000)
  expect(over).toEqual([...first, ['e', 1080]])
})

test('what is set while another thing is over is waited for with the others, by one timer', () => {
  const over: string[] = []
  const deadlines = createDeadlines<string>(60, (text) => {
    over.push(text)
    if (text === 'a') deadlines.set('again')
  })
  deadlines.set('a')
  vi.advanceTimersByTime(10)
  deadlines.set('b')
  vi.advanceTimersByTime(50)
  expect([over, vi.getTimerCount()]).toEqual([['a'], 1])
  vi.advanceTimersByTime(10)
  expect(over).toEqual(['a', 'b'])
  vi.advanceTimersByTime(50)
  expect([over, vi.getTimerCount()]).toEqual([['a', 'b', 'again'], 0])
})

test('a failure of one leaves the others under their limit', () => {
  const over: string[] = []
  const deadlines = createDeadlines<string>(60, (text) => {
    if (text === 'a') throw new Error('failed')
    over.push(text)
  })
  deadlines.set('a')
  deadlines.set('b')
  expect(() => vi.advanceTimersByTime(60)).toThrow('failed')
  vi.advanceTimersByTime(1)
  expect(over).toEqual(['b'])
})
