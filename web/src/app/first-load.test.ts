import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { FirstLoad } from './first-load.ts'

test('what can wait is told once the requests of the first page have ended', async () => {
  const client = new QueryClient()
  const first = new FirstLoad()
  const told = vi.fn()
  first.watch(told)
  let answer: (count: number) => void = () => undefined
  const asked = [
    client.fetchQuery({ queryKey: ['list'], queryFn: async () => 1 }),
    client.fetchQuery({ queryKey: ['count'], queryFn: () => new Promise<number>((resolve) => (answer = resolve)) }),
  ]
  first.begin(client)
  await asked[0]
  expect([first.isOver, told.mock.calls.length]).toEqual([false, 0])
  answer(2)
  await asked[1]
  await vi.waitFor(() => expect(first.isOver).toBe(true))
  await client.fetchQuery({ queryKey: ['later'], queryFn: async () => 3 })
  expect(told).toHaveBeenCalledTimes(1)
})
