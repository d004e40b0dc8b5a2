import { expect, test } from 'vitest'
import { type BenchRun, benchmarkTables, readHistory, standing } from './benchmarks.ts'

const MACHINE = { cpu: 'A', cores: 2, memoryGb: 24, node: '20', date: '2026-11-26' }
const RUN: BenchRun = { bench: 'one', machine: MACHINE, command: 'c', commit: null, note: 'quiet', rows: [] }
const ROW = { measure: 'speed', value: 8000, unit: '/s' }

test('the newest figure of each measure is shown, with the run that it is of', () => {
  const page = benchmarkTables([
    { ...RUN, rows: [ROW, { measure: 'memory', value: 5, unit: 'MB', must: 4, better: 'lower' }] },
    { ...RUN, commit: 'abc', rows: [{ ...ROW, value: 9426, must: 8000, goal: 20_000 }] },
  ])
  expect(page).toContain('- Run 1: 2026-11-26, A, 2 cores, 24 GB, Node 20, commit abc. Quiet.')
  expect(page).toContain('| speed | 9,426/s | ≥ 8,000 | ≥ 20,000 | must | 1 |')
  expect(page).toContain('| memory | 5 MB | ≤ 4 |  | **misses must** | 2 |')
})

test.each([
  [{ ...ROW, goal: 8000, must: 1 }, 'goal'],
  [{ ...ROW, goal: 8001 }, 'short of the goal'],
  [ROW, ''],
])('a figure stands as %o', (row, words) => {
  expect(standing(row)).toBe(words)
})

test('every line of the history says where and how it was measured', () => {
  for (const run of readHistory()) {
    expect(run.machine.date).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect([run.command, run.note, run.rows.length > 0]).toEqual([
      expect.stringContaining(run.bench),
      expect.stringMatching(/./),
      true,
    ])
  }
})
