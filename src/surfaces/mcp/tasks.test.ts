import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { createToolWorld, type ToolWorld } from './calling.suite.ts'
import { doTask, furnish, TASKS } from './tasks.suite.ts'

describe.each(['all', 'short'] as const)('a client that sees the list %s', (sees) => {
  let tools: ToolWorld
  let bytes = 0
  beforeAll(async () => {
    tools = await createToolWorld()
    await furnish(tools)
  })
  beforeEach(() => tools.world.clock.advance(MINUTE_MS))
  afterAll(async () => {
    process.stdout.write(`Answers of ${TASKS.length} tasks with the list ${sees}: ${bytes} bytes\n`)
    await tools.world.close()
  })

  test.each(TASKS)('can do: $says', async (task) => {
    const done = await doTask(tools, task, sees)
    bytes += done.bytes
    expect(done.problem).toBeNull()
  })
})

test('there are thirty tasks', () => {
  expect(new Set(TASKS.map(({ says }) => says)).size).toBe(30)
})
