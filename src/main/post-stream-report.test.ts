import { expect, test } from 'vitest'
import { SourceFault } from '../sources/contract.ts'
import type { SourceState } from '../store/source/source-state.ts'
import type { StreamState } from '../stream/contract.ts'
import { reportOf } from './post-stream-report.ts'

const NOW = new Date('2026-11-27T12:00:00Z')
const STREAM: StreamState = { first: 11, last: 20, bytes: 2_500_000 }

const BLUESKY = { platform: 'bluesky', off: false, source: { mode: 'live', limits: [] } } as const

function stateOf(source: string, more: Partial<SourceState>): [string, SourceState] {
  const nothing = { newestAt: null, lastPolledAt: null, lastSuccessAt: null, lastError: null }
  return [source, { source, scheduled: false, cursor: null, emptyPolls: 0, failures: 0, ...nothing, ...more }]
}

function report(stream: StreamState | null, ...states: [string, SourceState][]) {
  const describe = async () => 'NATS 2.9.10 at 127.0.0.1:4222'
  return reportOf({ describe, state: async () => stream }, [BLUESKY], new Map(states), NOW)
}

const place = (streamNumber: number, streamLost = 0) => ({ cursor: { streamNumber, streamLost } })

test('the stream is described with what this installation has still to read', async () => {
  expect(await report(STREAM, stateOf('bluesky', place(18)))).toEqual({
    rows: [
      ['server', 'NATS 2.9.10 at 127.0.0.1:4222'],
      ['bluesky', '10 messages kept, 2.5 MB, this installation is 2 behind'],
    ],
    wrong: [],
  })
})

test('posts that leave the stream unread are a problem, and those that did are counted', async () => {
  const { rows, wrong } = await report(STREAM, stateOf('bluesky', place(9, 30)))
  expect(rows[1]).toEqual(['bluesky', '10 messages kept, 2.5 MB, this installation is 11 behind and has lost 30 posts'])
  expect(wrong).toEqual(['Posts of bluesky leave the post stream before this installation reads them.'])
})

test('a stream that is missing names the role that makes it', async () => {
  expect(await report(null)).toMatchObject({ wrong: [expect.stringContaining('--role gather')] })
})

test('a server that cannot be reached is a problem by itself', async () => {
  const gone = async () => {
    throw new SourceFault('stream', 'the post stream cannot be used: connection refused')
  }
  expect(await reportOf({ describe: gone, state: gone }, [BLUESKY], new Map(), NOW)).toEqual({
    rows: [['server', 'the post stream cannot be used: connection refused']],
    wrong: ['The post stream cannot be used (POST_STREAM_URL).'],
  })
})

test('gathering is described where it is done, with its failures', async () => {
  const failing = { lastSuccessAt: new Date('2026-11-27T11:59:00Z'), failures: 3, lastError: 'stream: refused' }
  const { rows, wrong } = await report(STREAM, stateOf('gather:bluesky', failing))
  expect(rows.slice(1)).toEqual([
    ['bluesky', '10 messages kept, 2.5 MB'],
    ['bluesky, gathered here', 'last read 60 s ago'],
  ])
  expect(wrong).toEqual(['Gathering bluesky failed 3 times in a row: stream: refused.'])
})

test('gathering that has ended is a problem after some minutes', async () => {
  const silent = { lastSuccessAt: new Date('2026-11-27T11:50:00Z') }
  const { wrong } = await report(STREAM, stateOf('gather:bluesky', silent))
  expect(wrong).toEqual(['Nothing was gathered of bluesky for 600 s. Is a process with --role gather running?'])
})
