import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const HEAP = new URL('heap.mjs', import.meta.url).href

/** What a process of its own makes of the heap, so that the one of the tests keeps its ways. */
function boundIn(nodeOptions: string, argv: readonly string[] = []): string {
  const program = `import(${JSON.stringify(HEAP)}).then(({ boundHeap }) => console.log(boundHeap()))`
  return execFileSync(process.execPath, [...argv, '-e', program], {
    env: { ...process.env, NODE_OPTIONS: nodeOptions },
    encoding: 'utf8',
  }).trim()
}

test.each([
  ['', [], 'true'],
  ['--enable-source-maps --heapsnapshot-signal=SIGUSR2', [], 'true'],
  ['--max-old-space-size=512', [], 'false'],
  ['--max_semi_space_size=4', [], 'false'],
  ['', ['--max-heap-size=512'], 'false'],
])('with NODE_OPTIONS "%s" and %j the heap is bound: %s', (nodeOptions, argv, expected) => {
  expect(boundIn(nodeOptions, argv)).toBe(expected)
})
