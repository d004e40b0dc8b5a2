import { beforeEach, describe, expect, test } from 'vitest'
import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import { createReceiver } from '../../../test/receiver.ts'
import { eventually, type Pipeline, startPipeline, whileTimePasses } from '../../../test/stand-ins/pipeline.ts'
import { useFreshWorkspace, useResource, useWorld } from '../../../test/use-world.ts'
import { sendDigests } from '../../commands/alerts/send-digests.ts'
import { DAY_MS, dayOf, HOUR_MS, plus } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'

let keyword: TestKeyword
let pipeline: Pipeline | null
const world = useWorld()
const receiver = useResource(createReceiver)
beforeEach(async () => {
  // Nothing of the test before runs or is sent again.
  for (const table of ['alert', 'delivery_queue']) await world.db.query(sql`delete from ${sql.table(table)}`)
})
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(async () => {
  keyword = await makeKeyword(acme)
  // Ids never go back in time within a process, so each test has a day of its own.
  today = plus(today, DAY_MS)
  await at(10.5)
  receiver.requests.length = 0
  receiver.status = 204
  pipeline = null
  return async () => {
    if (pipeline !== null) await whileTimePasses(world.clock, pipeline.stop())
  }
})

let today = new Date('2026-11-20T00:00:00.000Z')
const at = (hours: number) => world.clock.advance(plus(today, hours * HOUR_MS).getTime() - world.clock.now().getTime())
const dayName = (days = 0) => dayOf(plus(today, days * DAY_MS))

const NINE = { hour: 9, minute: 0, timezone: 'UTC', skipEmpty: false, weekday: null }

async function channel(url = receiver.url): Promise<string> {
  return (await acme.api('POST', '/v1/channels', { kind: 'webhook', url })).body.id
}

async function rule(channelIds: string[], more: object = {}): Promise<string> {
  const { status, body } = await acme.api('POST', '/v1/alerts', {
    name: 'My digest',
    mode: 'daily',
    schedule: NINE,
    channelIds,
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

async function scored(): Promise<string> {
  const made = await mention(world, keyword)
  await score(world, [made])
  return toId('mtn', made.mentionId)
}

/** Asks for a run while deliveries are sent and time passes, no faster than they can be sent. */
async function run(id: string) {
  pipeline ??= await startPipeline(world)
  return await answered(acme.api('POST', `/v1/alerts/${id}/run`))
}

async function answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
  let isThere = false
  void asked.finally(() => {
    isThere = true
  })
  const check = () => {
    pipeline?.deliver.wake()
    expect(isThere).toBe(true)
  }
  await eventually(check, { clock: world.clock, stepMs: 10 })
  return await asked
}

const sent = () =>
  world.db.query<{ period: string; status: string }>(
    sql`select period, status from delivery where workspace_id = ${acme.workspaceId} order by id`,
  )

test('the digest of the last run is sent to every channel, with everything up to this moment', async () => {
  const channelIds = [await channel(), await channel(`${receiver.url}?second`)]
  const id = await rule(channelIds)
  const told = await scored()
  const { status, body } = await run(id)
  expect([status, body]).toEqual([
    200,
    {
      skipped: null,
      matched: 1,
      relevant: 1,
      outcomes: channelIds.map((channelId) => ({ channelId, ok: true, error: null })),
    },
  ])
  expect(receiver.requests.map((request) => request.path).sort()).toEqual(['/hook', '/hook?second'])
  for (const request of receiver.requests) {
    expect(request.body).toMatchObject({
      event: 'digest',
      alert: { id, name: 'My digest' },
      data: { period: { mode: 'daily', timezone: 'UTC' }, counts: { matched: 1, relevant: 1 } },
    })
    expect(request.body.data.top).toEqual([
      { ...(await acme.api('GET', `/v1/mentions/${told}`)).body, priority: expect.any(Number) },
    ])
  }
  expect(await sent()).toEqual(channelIds.map(() => ({ period: dayName(), status: 'delivered' })))
})

test('a run whose digest was sent, by the clock or on request, is not sent again, and says what was in it', async () => {
  const id = await rule([await channel()])
  await scored()
  expect((await run(id)).body.skipped).toBe(null)
  await scored()
  expect((await run(id)).body).toEqual({ skipped: 'already_sent', matched: 1, relevant: 1, outcomes: [] })
  await at(24 + 9)
  await sendDigests(world.services)
  expect((await run(id)).body).toEqual({ skipped: 'already_sent', matched: 1, relevant: 1, outcomes: [] })
  expect((await sent()).map(({ period }) => period)).toEqual([dayName(), dayName(1)])
})

test('the clock does not send the run that was asked for, and the next goes on where that ended', async () => {
  const id = await rule([await channel()], { schedule: { ...NINE, hour: 11 } })
  await at(11)
  const first = await scored()
  await at(11.01)
  expect((await run(id)).body).toMatchObject({ skipped: null, matched: 1 })
  await sendDigests(world.services)
  expect(await sent()).toHaveLength(1)
  const second = await scored()
  await at(24 + 11)
  await sendDigests(world.services)
  const told = await world.db.query<{ ids: string[] }>(
    sql`select array(select json_array_elements(data -> 'top') ->> 'id') as ids from delivery
        where workspace_id = ${acme.workspaceId} order by id`,
  )
  expect(told).toEqual([{ ids: [first] }, { ids: [second] }])
})

test('many who ask at once, and the clock, send one digest', async () => {
  const id = await rule([await channel()])
  await scored()
  pipeline = await startPipeline(world)
  const answers = Promise.all([
    ...Array.from({ length: 4 }, () => acme.api('POST', `/v1/alerts/${id}/run`)),
    sendDigests(world.services),
  ])
  const skipped = (await answered(answers))
    .slice(0, 4)
    .map((answer) => (answer as { body: { skipped: string | null } }).body.skipped)
  expect(skipped.sort()).toEqual(['already_sent', 'already_sent', 'already_sent', null].sort())
  expect(receiver.requests).toHaveLength(1)
})

describe('what could not be sent', () => {
  test('for the moment is told, stays in the log and is tried again', async () => {
    const channelId = await channel()
    const id = await rule([channelId])
    receiver.status = 503
    expect((await run(id)).body.outcomes).toEqual([{ channelId, ok: false, error: 'status 503' }])
    expect(await sent()).toMatchObject([{ status: 'pending' }])
    expect((await run(id)).body.skipped).toBe('already_sent')
  })

  test('because a channel is switched off is told, while the others get it', async () => {
    const [off, on] = [await channel(), await channel()]
    const id = await rule([off, on])
    await acme.api('PATCH', `/v1/channels/${off}`, { enabled: false })
    expect((await run(id)).body.outcomes).toEqual([
      { channelId: off, ok: false, error: 'the channel is disabled' },
      { channelId: on, ok: true, error: null },
    ])
    expect(receiver.requests).toHaveLength(1)
  })

  test('because nobody sends is told after twelve seconds, and not lost', async () => {
    const channelId = await channel()
    const id = await rule([channelId])
    const answer = acme.api('POST', `/v1/alerts/${id}/run`)
    const before = world.clock.now().getTime()
    await whileTimePasses(world.clock, answer)
    expect((await answer).body.outcomes).toEqual([{ channelId, ok: false, error: 'not attempted yet; it is queued' }])
    expect(world.clock.now().getTime() - before).toBeGreaterThanOrEqual(12_000)
    expect(await sent()).toMatchObject([{ status: 'pending' }])
  })
})

test('an empty digest is sent, or left out where the rule wants that', async () => {
  const [all, some] = [
    await rule([await channel()]),
    await rule([await channel()], { schedule: { ...NINE, skipEmpty: true } }),
  ]
  expect((await run(all)).body).toMatchObject({ skipped: null, matched: 0, relevant: 0, outcomes: [{ ok: true }] })
  expect((await run(some)).body).toEqual({ skipped: 'empty', matched: 0, relevant: 0, outcomes: [] })
  expect(receiver.requests).toHaveLength(1)
})

test.each([
  ['not_a_digest', 400, { mode: 'instant', schedule: null }, true],
  ['rule_disabled', 409, { enabled: false }, true],
  ['no_channels', 409, {}, false],
])('%s is the answer to a rule that has no run to send', async (code, expected, more, withChannel) => {
  const id = await rule(withChannel ? [await channel()] : [], more)
  const { status, body } = await acme.api('POST', `/v1/alerts/${id}/run`)
  expect([status, body.error.code]).toEqual([expected, code])
  expect(await sent()).toEqual([])
})

test('a rule whose channels are all switched off has nobody to send to, and sends once one is on', async () => {
  const off = await channel()
  const id = await rule([off])
  await scored()
  await acme.api('PATCH', `/v1/channels/${off}`, { enabled: false })
  const { status, body } = await acme.api('POST', `/v1/alerts/${id}/run`)
  expect([status, body.error.code]).toEqual([409, 'no_channels'])
  await acme.api('PATCH', `/v1/channels/${off}`, { enabled: true })
  expect((await run(id)).body).toMatchObject({ skipped: null, matched: 1, outcomes: [{ ok: true }] })
})

test('a rule of another workspace is not found', async () => {
  const id = await rule([await channel()])
  const other = await world.workspace('Other')
  const { status, body } = await other.api('POST', `/v1/alerts/${id}/run`)
  expect([status, body.error.code]).toEqual([404, 'not_found'])
  expect(await sent()).toEqual([])
})
