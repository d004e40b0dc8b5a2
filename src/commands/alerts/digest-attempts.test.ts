import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeKeyword, mention, score } from '../../../test/mentions.ts'
import { changeMention } from '../../../test/rows.ts'
import { eventually, type Pipeline, startPipeline, whileTimePasses } from '../../../test/stand-ins/pipeline.ts'
import { useFreshResource, useFreshWorld, useWorkspace } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { startLocalReceiver } from '../../channels/local-receiver.suite.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { sendDigests } from './send-digests.ts'

let pipeline: Pipeline
const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
const receiver = useFreshResource(startLocalReceiver)
beforeEach(() => {
  // Ids never go back in time within a process, so each test has a day of its own.
  today = plus(today, DAY_MS)
  world.clock.set(plus(today, 8 * HOUR_MS))
})
afterEach(async () => {
  await whileTimePasses(world.clock, pipeline.stop())
})

let today = new Date('2026-11-20T00:00:00.000Z')
const time = (clockTime: string) => new Date(`${today.toISOString().slice(0, 10)}T${clockTime}Z`)

interface Row {
  status: string
  attempts: number
  error: string | null
  due_at: Date | null
}

async function row(): Promise<Row> {
  const [only] = await world.db.query<Row>(sql`
    select d.status, d.attempts, d.error, q.due_at from delivery d left
      join delivery_queue q on q.workspace_id = d.workspace_id and q.delivery_id = d.id
      where d.workspace_id = ${acme.workspaceId}`)
  return only!
}

async function digestDue(
  mode: 'hourly' | 'daily',
  sentAt: string,
  meanwhile: (mentionIds: string[]) => unknown = () => {},
): Promise<void> {
  const channelId = (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: receiver.url })).body.id
  const schedule = mode === 'daily' ? { hour: 9, minute: 0, timezone: 'UTC', skipEmpty: false, weekday: null } : null
  await acme.api('POST', '/v1/alerts', { name: 'Digest', mode, schedule, channelIds: [channelId] })
  const keyword = await makeKeyword(acme)
  const made = [await mention(world, keyword)]
  if (meanwhile.length > 0) made.push(await mention(world, keyword), await mention(world, keyword))
  await score(world, made, { sentiment: 'negative', intents: ['buy_intent'] })
  world.clock.set(time(sentAt))
  await sendDigests(world.services)
  await meanwhile(made.map(({ mentionId }) => toId('mtn', mentionId)))
  pipeline = await startPipeline(world)
}

/** Lets the attempt of this number take place. */
async function attempted(number: number): Promise<Row> {
  const check = async () => {
    pipeline.deliver.wake()
    expect((await row()).attempts).toBe(number)
  }
  await eventually(check, { clock: world.clock })
  return await row()
}

/** Moves the time to the next attempt and answers how far that was. */
async function nextAttempt(): Promise<number> {
  const waitMs = (await row()).due_at!.getTime() - world.clock.now().getTime()
  await world.clock.advance(Math.max(waitMs, 0))
  return waitMs
}

test.each([
  ['daily', '09:00:00', '15:00:00'],
  ['hourly', '09:05:00', '10:45:00'],
] as const)(
  'a %s digest is tried about every five minutes until its time is over, with one id and one text',
  async (mode, dueAt, until) => {
    receiver.play({ kind: 'answers', status: 503 })
    await digestDue(mode, dueAt)
    await attempted(1)
    // Those in the middle are like the others.
    await world.clock.advance(time(until).getTime() - world.clock.now().getTime() - 25 * MINUTE_MS)
    let attempts = 2
    for (let state = await attempted(attempts); state.status === 'pending'; state = await attempted(attempts)) {
      const waitMs = await nextAttempt()
      expect(waitMs).toBeGreaterThan(5 * MINUTE_MS - 1)
      expect(waitMs).toBeLessThan(5.6 * MINUTE_MS)
      attempts += 1
    }
    expect(await row()).toMatchObject({ status: 'failed', error: 'status 503', due_at: null })
    expect(world.clock.now() <= time(until)).toBe(true)
    expect(world.clock.now().getTime()).toBeGreaterThan(time(until).getTime() - 6 * MINUTE_MS)
    expect(receiver.received).toHaveLength(attempts)
    const bodies = receiver.received.map(({ body }) => ({ ...JSON.parse(body.toString()), createdAt: '' }))
    for (const body of bodies) expect(body).toEqual(bodies[0])
    expect(bodies[0]).toMatchObject({
      id: expect.stringMatching(/^dlv_/),
      event: 'digest',
      data: { counts: { matched: 1 } },
    })
  },
  60_000,
)

test('a receiver of digests may ask for more patience, and is accepted when it comes round', async () => {
  receiver.play({ kind: 'answers', status: 429, headers: { 'retry-after': '1800' } })
  await digestDue('daily', '09:00:30')
  await attempted(1)
  expect(await nextAttempt()).toBeGreaterThan(29 * MINUTE_MS)
  receiver.play({ kind: 'accepts' })
  expect(await attempted(2)).toMatchObject({ status: 'delivered', error: null, due_at: null })
})

test('an answer that will not pass ends a digest at once', async () => {
  receiver.play({ kind: 'answers', status: 410 })
  await digestDue('daily', '09:00:00')
  expect(await attempted(1)).toMatchObject({ status: 'failed', error: 'status 410' })
})

test('a digest that waited shows nothing that was closed or removed meanwhile, and counts what it counted', async () => {
  receiver.play({ kind: 'answers', status: 503 })
  let shown: string[] = []
  await digestDue('daily', '09:00:00', async (ids) => {
    shown = ids
    await acme.api('PATCH', `/v1/mentions/${ids[0]}`, { status: 'ignored' })
  })
  await attempted(1)
  await changeMention(world, stored('mtn', shown[1]!), { status: 'done' })
  await nextAttempt()
  await attempted(2)
  const bodies = receiver.received.map(({ body }) => JSON.parse(body.toString()))
  for (const [attempt, left] of [shown.slice(1), shown.slice(2)].entries()) {
    const { counts, top, negative, buyingSignals } = bodies[attempt].data
    expect(counts.matched).toBe(3)
    for (const part of [top, negative, buyingSignals])
      expect(part.map((item: { id: string }) => item.id).sort()).toEqual([...left].sort())
  }
})
