import { describe, expect, test, vi } from 'vitest'
import { makeKeyword, mention } from '../../test/mentions.ts'
import { useFreshWorkspace, useWorld } from '../../test/use-world.ts'
import { sql } from '../store/database.ts'
import { READS_AT_ONCE, WAITING_MOST } from './shares.ts'

const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
const other = useFreshWorkspace(world, 'Other')

/** Nobody can read mentions while `work` runs: whatever asks for them runs until then, or until it is ended. */
async function whileMentionsAreHeld(work: () => Promise<void>): Promise<void> {
  await world.db.transaction(async (tx) => {
    await tx.query(sql`lock table mention in access exclusive mode`)
    await work()
  })
}

/** Statements that wait for the mentions. */
async function held(): Promise<number> {
  const rows = await world.db.query(
    sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length
}
const untilHeld = (count: number) =>
  vi.waitFor(async () => expect(await held()).toBe(count), { timeout: 5000, interval: 5 })
const codeOf = ({ body, status }: { status: number; body: { error?: { code: string } } }) => body.error?.code ?? status

describe('a workspace that asks much at once', () => {
  test('has few statements running and many waiting, is told when it has too many, and gets the rest', async () => {
    const codes: (string | number)[] = []
    let asked: Promise<unknown> = Promise.resolve()
    await whileMentionsAreHeld(async () => {
      asked = Promise.all(
        Array.from({ length: READS_AT_ONCE + WAITING_MOST + 5 }, async () => {
          const answer = await acme.api('GET', '/v1/mentions')
          codes.push(codeOf(answer))
          if (answer.status === 429)
            expect([answer.headers.get('retry-after'), answer.body.error.retryAfterSeconds]).toEqual(['2', 2])
        }),
      )
      await vi.waitFor(() => expect(codes).toHaveLength(5), { timeout: 5000, interval: 5 })
      expect(new Set(codes)).toEqual(new Set(['rate_limited']))
      await untilHeld(READS_AT_ONCE)
      // Nobody else notices, and what is no read of theirs has its own connections.
      expect((await other.api('GET', '/v1/groups')).status).toBe(200)
      expect((await other.api('GET', '/v1/keywords?limit=5')).status).toBe(200)
      expect((await acme.api('POST', '/v1/groups', { name: 'Meanwhile' })).status).toBe(201)
    })
    await asked
    expect(codes.slice(5)).toEqual(Array.from({ length: READS_AT_ONCE + WAITING_MOST }, () => 200))
  })

  test('may ask several things in one request, more than run at once', async () => {
    for (let at = 0; at < 3; at += 1) await mention(world, await makeKeyword(acme))
    const paths = ['/v1/keywords', '/v1/analytics/summary', '/v1/mentions', '/v1/people', '/v1/usage']
    const answers = await Promise.all([...paths, ...paths, ...paths].map((path) => acme.api('GET', path)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })
})

test('a read that takes longer than five seconds is ended, and the answer says so', async () => {
  await whileMentionsAreHeld(async () => {
    const { status, headers, body } = await acme.api('GET', '/v1/mentions')
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([504, 'query_timeout', '30'])
    expect(body.error.message).toMatch(/Shorten the period or use fewer conditions/)
  })
  expect((await acme.api('GET', '/v1/mentions')).status).toBe(200)
})

test('a read whose caller has gone ends at the database, and one that waits never begins', async () => {
  await whileMentionsAreHeld(async () => {
    const leaving = new AbortController()
    const request = () =>
      fetch(`${world.origin}/v1/mentions`, {
        headers: { authorization: `Bearer ${acme.readKey}` },
        signal: leaving.signal,
      })
    const gone = Promise.allSettled(Array.from({ length: READS_AT_ONCE + 3 }, request))
    await untilHeld(READS_AT_ONCE)
    leaving.abort()
    await gone
    await untilHeld(0)
  })
  expect(world.logged.filter(({ event }) => event === 'request.failed')).toEqual([])
})

test('a feed counts for the workspace of its view', async () => {
  const { body } = await acme.api('POST', '/v1/views', { name: 'All', filter: {} })
  const { pathname, search } = new URL(body.feedUrl)
  await whileMentionsAreHeld(async () => {
    const leaving = new AbortController()
    const asked = Promise.allSettled(
      Array.from({ length: 10 }, () => fetch(`${world.origin}${pathname}${search}`, { signal: leaving.signal })),
    )
    await untilHeld(READS_AT_ONCE)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await held()).toBe(READS_AT_ONCE)
    leaving.abort()
    await asked
  })
})
