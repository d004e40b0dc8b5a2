import { expect, test } from 'vitest'
import { createDeadlines } from './deadlines.ts'

test('what is not cleared is over after the limit, each thing once, in the order in which they were set', async () => {
  const over: string[] = []
  const beganMs = performance.now()
  const deadlines = createDeadlines<string>(60, (one) => {
    over.push(one)
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(59)
  })
  for (const one of ['a', 'b', 'c', 'd']) deadlines.set(one)
  deadlines.clear('b')
  await new Promise((resolve) => setTimeout(resolve, 20))
  deadlines.set('a')
  await expect.poll(() => over).toEqual(['c', 'd', 'a'])
  deadlines.set('e')
  await expect.poll(() => over).toEqual(['c', 'd', 'a', 'e'])
})
