import { randomUUID } from 'node:crypto'
import { createAlert } from '../../src/commands/alerts/create-alert.ts'
import { sendDigests } from '../../src/commands/alerts/send-digests.ts'
import { updateAlert } from '../../src/commands/alerts/update-alert.ts'
import { createChannel } from '../../src/commands/channels/create-channel.ts'
import { updateChannel } from '../../src/commands/channels/update-channel.ts'
import { replayDelivery } from '../../src/commands/deliveries/replay-delivery.ts'
import { retryDelivery } from '../../src/commands/deliveries/retry-delivery.ts'
import { recordScores } from '../../src/commands/mentions/record-scores.ts'
import { updateMention } from '../../src/commands/mentions/update-mention.ts'
import { isRefusal } from '../../src/domain/refusal/refusal.ts'
import { fromId, newUuid, toId, type Uuid } from '../../src/kernel/ids.ts'
import { sql } from '../../src/store/database.ts'
import { rotateOutbox } from '../../src/store/delivery/outbox.ts'
import { readUnscored } from '../../src/store/model/unscored.ts'
import { recordAccountEvents } from '../../src/store/workspace/account-events.ts'
import { makeKeyword, makePost, matchedBy, store, type TestKeyword, VERDICT } from '../mentions.ts'
import { randomFrom } from '../random.ts'
import { channelsWith } from '../stand-ins/channels.ts'
import { accepted, createWorld, stored, type TestWorkspace, type World } from '../world.ts'
import { applyResult, type Expected, type Mode, refusalOf, type Status } from './model.ts'
import { createReceivers, type Mood, type Receivers, type Request } from './receivers.ts'
import { type Busy, createBusy, quiet, startWorker, type Worker } from './worker.ts'

export interface Plan {
  seed: number
  steps: number
}

/** What a simulation went through. */
export interface Tally {
  steps: number
  crashes: number
  deliveries: number
  digests: number
  accepted: number
  again: number
  refused: number
  repeated: number
  jumps: number
}

interface SimChannel {
  id: Uuid
  address: string
  enabled: boolean
}
interface SimRule {
  id: Uuid
  mode: Mode
  enabled: boolean
  minRelevance: number
  channels: SimChannel[]
}
interface Tenant {
  number: number
  space: TestWorkspace
  keyword: TestKeyword
  channels: SimChannel[]
  rules: SimRule[]
  open: Uuid[]
}

interface Stage {
  world: World
  random: () => number
  receivers: Receivers
  busy: Busy
  workers: Worker[]
  tenants: Tenant[]
  expected: Map<string, Expected>
  /** Those that came to their end and are too old to be asked for again. */
  forgotten: number
  /** Every digest, event and replay that there ever was, to tell new ones. */
  adopted: Set<string>
  /** Requests without an answer. */
  open: Set<Request>
  /** Deliveries whose last result may not be written down yet, and by whom it is. */
  unsettled: Map<Expected, number>
  /** Mentions that are not to be sent any more. */
  closed: Set<Uuid>
  tally: Tally
  born: number
  addresses: number
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/**
 * The clocks of Berlin are put forward two days later. Not before what the world's ids were made at: they never go
 * back.
 */
const BEGIN = new Date('2027-03-26T20:50:00.000Z')
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC']
const MOODS: readonly Mood[] = ['accepts', 'accepts', 'accepts', 'fails', 'asks for patience', 'refuses', 'hangs']

/**
 * Steps at random from a seed: mentions scored, receivers that fail, hang and come back, channels and rules switched,
 * deliveries asked for again, processes that die at any statement, clocks that jump and are set back, and days on which
 * they change. After each step every delivery that was touched must be where a model of the specification has it, and
 * no request may have been made that should not have been. Throws at the first difference.
 */
export async function simulate({ seed, steps }: Plan): Promise<Tally> {
  const stage = await raise(seed)
  try {
    for (let step = 0; step < steps; step += 1) {
      stage.tally.steps += 1
      await pick(stage, OPERATIONS)(stage)
      await rest(stage)
      if (step % 500 === 499) await checkAll(stage)
    }
    await heal(stage)
    return stage.tally
  } finally {
    await close(stage)
  }
}

async function raise(seed: number): Promise<Stage> {
  const world = await createWorld()
  world.clock.set(BEGIN)
  const stage: Stage = {
    world,
    random: randomFrom(seed),
    receivers: createReceivers(world.clock),
    busy: createBusy(),
    unsettled: new Map(),
    closed: new Set(),
    workers: [],
    tenants: [],
    expected: new Map(),
    forgotten: 0,
    adopted: new Set(),
    open: new Set(),
    tally: {
      steps: 0,
      crashes: 0,
      deliveries: 0,
      digests: 0,
      accepted: 0,
      again: 0,
      refused: 0,
      repeated: 0,
      jumps: 0,
    },
    born: 0,
    addresses: 0,
  }
  await world.db.query(sql`update workspace set welcome_limits = false`)
  for (let number = 0; number < 3; number += 1) stage.tenants.push(await settle(stage, number))
  await world.db.query(sql`update workspace set welcome_limits = false`)
  for (let count = 0; count < 2; count += 1) employ(stage)
  await rest(stage)
  return stage
}

async function settle(stage: Stage, number: number): Promise<Tenant> {
  const { world } = stage
  const space = await world.workspace(`Tenant ${number}`)
  const tenant: Tenant = { number, space, keyword: await makeKeyword(space), channels: [], rules: [], open: [] }
  for (let count = 0; count < 3; count += 1) tenant.channels.push(await addChannel(stage, tenant))
  for (const mode of ['instant', 'instant', 'hourly', 'daily', 'weekly'] as const)
    tenant.rules.push(await addRule(stage, tenant, mode))
  return tenant
}

async function addChannel(stage: Stage, { space }: Tenant): Promise<SimChannel> {
  const address = newAddress(stage)
  const channels = channelsWith(stage.receivers.channelOf(-1, () => true))
  const made = accepted(
    await createChannel({ ...space, channels }, { kind: 'webhook', url: address, events: ['wallet.low'] }),
  )
  return { id: stored('dest', made.id), address, enabled: true }
}

function newAddress(stage: Stage): string {
  stage.addresses += 1
  return `https://receiver-${stage.addresses}.example/hook`
}

async function addRule({ random }: Stage, { space, channels }: Tenant, mode: Mode): Promise<SimRule> {
  const wanted = channels.filter((_, at) => at === 0 || random() < 0.6)
  const minRelevance = [40, 60, 90][Math.floor(random() * 3)]!
  const timed = mode === 'daily' || mode === 'weekly'
  const schedule = timed
    ? {
        hour: Math.floor(random() * 4),
        minute: Math.floor(random() * 60),
        timezone: ZONES[Math.floor(random() * ZONES.length)]!,
        skipEmpty: random() < 0.5,
        weekday: mode === 'weekly' ? 0 : null,
      }
    : null
  const made = accepted(
    await createAlert(space, {
      name: `A ${mode} rule`,
      mode,
      filter: { minRelevance },
      channelIds: wanted.map(({ id }) => id),
      schedule,
      enabled: true,
    }),
  )
  return { id: stored('feed', made.id), mode, enabled: true, minRelevance, channels: wanted }
}

function employ(stage: Stage): void {
  stage.born += 1
  stage.workers.push(
    startWorker(stage.born, { ...stage.world.services, db: stage.world.db }, stage.receivers, stage.busy),
  )
}

type Operation = (stage: Stage) => Promise<void>

const OPERATIONS: readonly (readonly [weight: number, Operation])[] = [
  [26, scoreSome],
  [30, passTime],
  [9, changeMood],
  [4, switchChannel],
  [2, moveChannel],
  [3, switchRule],
  [4, closeMention],
  [9, askAgain],
  [3, tellEvent],
  [6, runDigests],
  [5, crash],
  [1, replaceWorker],
  [1, jump],
  [1, tidy],
]

function pick(stage: Stage, all: typeof OPERATIONS): Operation {
  let left = stage.random() * all.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, operation] of all) {
    left -= weight
    if (left < 0) return operation
  }
  return all[0]![1]
}

const oneOf = <One>({ random }: Stage, all: readonly One[]): One => all[Math.floor(random() * all.length)]!

/** As the scoring stage does, through a process that sends what it wrote from memory and may die on the way. */
async function scoreSome(stage: Stage): Promise<void> {
  const tenant = oneOf(stage, stage.tenants)
  const worker = oneOf(stage, stage.workers)
  const { world } = stage
  const count = 1 + Math.floor(stage.random() * 3)
  const posts = Array.from({ length: count }, () => matchedBy(makePost(world), [tenant.keyword]))
  const mentions = await store(world, posts)
  const relevance = oneOf(stage, [10, 45, 75, 95])
  const at = world.clock.now()
  const scores = (await readUnscored(world.db, mentions)).map((mention) => ({
    mention,
    verdict: { ...VERDICT, relevance },
    authorKeys: [],
  }))
  if (stage.random() < 0.1) dieSoon(stage, worker)
  const intake = worker.stage.begin()
  void worker.services.db
    .transaction((tx) => recordScores(tx, scores, { at, metered: true, admission: intake }))
    .then((recorded) => intake.complete(recorded.deliveries))
  await quiet(stage.busy)
  const ids = mentions.map(({ mentionId }) => mentionId)
  const [{ n: scored } = { n: 0 }] = await world.db.query<{ n: number }>(
    sql`select count(*) as n from mention where workspace_id = ${tenant.space.workspaceId} and id = any(${ids}::uuid[])
        and scored_at is not null`,
  )
  if (scored === 0) {
    // It died before it wrote anything: another one scores them.
    if (!worker.isDead) throw new Error('nothing was written down by a process that lives')
    await world.db.transaction((tx) => recordScores(tx, scores, { at, metered: true }))
    for (const { stage: other } of stage.workers) other.wake()
  }
  tenant.open.push(...ids)
  const wanting = tenant.rules.filter(
    (rule) => rule.enabled && rule.mode === 'instant' && relevance >= rule.minRelevance,
  )
  // Rules of one event share a delivery for each channel, under the oldest of them.
  const firstOf = new Map<Uuid, Uuid>()
  for (const rule of wanting.toSorted((first, second) => (first.id < second.id ? -1 : 1)))
    for (const channel of rule.channels)
      if (channel.enabled && !firstOf.has(channel.id)) firstOf.set(channel.id, rule.id)
  const wanted = [...firstOf].flatMap(([channelId, ruleId]) => ids.map((id) => `${ruleId} ${channelId} ${id}`))
  const rows = await world.db.query<{ id: Uuid; alert_id: Uuid; channel_id: Uuid; mention_id: Uuid }>(
    sql`select id, alert_id, channel_id, mention_id from delivery where workspace_id = ${tenant.space.workspaceId}
        and mention_id = any(${ids}::uuid[])`,
  )
  same(
    'the deliveries of new mentions',
    rows.map((row) => `${row.alert_id} ${row.channel_id} ${row.mention_id}`).sort(),
    wanted.sort(),
  )
  for (const row of rows)
    expect(stage, tenant, {
      id: row.id,
      channelId: row.channel_id,
      mode: 'instant',
      dueAt: null,
      replayOf: null,
      mention: row.mention_id,
    })
}

function expect(
  stage: Stage,
  tenant: Tenant,
  made: { id: Uuid; channelId: Uuid; mode: Mode; dueAt: Date | null; replayOf: string | null; mention?: Uuid | null },
): void {
  stage.tally.deliveries += 1
  const id = toId('dlv', made.id)
  if (made.replayOf !== null || !made.mention) stage.adopted.add(id)
  stage.expected.set(id, {
    id,
    workspace: tenant.number,
    channel: made.channelId,
    mode: made.mode,
    dueAt: made.dueAt?.getTime() ?? null,
    status: 'pending',
    attempts: 0,
    limit: 5,
    notBefore: 0,
    before: null,
    isOnEdge: false,
    replayOf: made.replayOf,
    accepted: 0,
    history: [],
    mention: made.mention ?? null,
  })
}

async function passTime(stage: Stage): Promise<void> {
  const much = oneOf(stage, [
    SECOND_MS,
    21 * SECOND_MS,
    35 * SECOND_MS,
    5 * MINUTE_MS,
    40 * MINUTE_MS,
    HOUR_MS,
    9 * HOUR_MS,
  ])
  if (await isIdle(stage)) await stage.world.clock.advance(stage.random() < 0.03 ? 2 * DAY_MS : much)
}

/**
 * Brings what is on the wire to its end, as far as nothing follows it at once: in a leap of the time it would outlast
 * its lease.
 */
async function isIdle(stage: Stage): Promise<boolean> {
  for (let round = 0; round < 3; round += 1) {
    await stage.world.clock.advance(10 * SECOND_MS)
    await rest(stage)
    if (![...stage.open].some(({ worker }) => stage.workers.some(({ number }) => number === worker))) return true
  }
  return false
}

async function changeMood(stage: Stage): Promise<void> {
  stage.receivers.change(oneOf(stage, oneOf(stage, stage.tenants).channels).address, oneOf(stage, MOODS))
}

async function switchChannel(stage: Stage): Promise<void> {
  const tenant = oneOf(stage, stage.tenants)
  const channel = oneOf(stage, tenant.channels)
  await changeChannel(stage, tenant, channel, { enabled: !channel.enabled })
  channel.enabled = !channel.enabled
  if (!channel.enabled) cancelAll(stage, channel)
}

async function moveChannel(stage: Stage): Promise<void> {
  const tenant = oneOf(stage, stage.tenants)
  const channel = oneOf(stage, tenant.channels)
  const url = newAddress(stage)
  await changeChannel(stage, tenant, channel, { url })
  channel.address = url
  cancelAll(stage, channel)
}

async function changeChannel(
  stage: Stage,
  { space }: Tenant,
  { id }: SimChannel,
  change: { enabled?: boolean; url?: string },
): Promise<void> {
  const channels = channelsWith(stage.receivers.channelOf(-1, () => true))
  accepted(await updateChannel({ ...space, channels }, id, change))
}

function cancelAll(stage: Stage, channel: SimChannel): void {
  for (const item of stage.expected.values()) if (item.channel === channel.id) cancel(item)
}

async function switchRule(stage: Stage): Promise<void> {
  const tenant = oneOf(stage, stage.tenants)
  const rule = oneOf(stage, tenant.rules)
  accepted(await updateAlert(tenant.space, rule.id, { enabled: !rule.enabled }))
  rule.enabled = !rule.enabled
}

/** The last result of one that is cancelled may never be written down. */
function cancel(item: Expected): void {
  if (item.status !== 'pending' && item.status !== 'held') return
  item.status = 'cancelled'
  if (item.before) item.before.status = 'cancelled'
}

async function closeMention(stage: Stage): Promise<void> {
  const tenant = oneOf(stage, stage.tenants)
  if (tenant.open.length === 0) return
  const [id] = tenant.open.splice(Math.floor(stage.random() * tenant.open.length), 1)
  accepted(
    await updateMention(tenant.space, { kind: 'api_key', id: newUuid(stage.world.clock.now()) }, id!, {
      status: 'done',
    }),
  )
  stage.closed.add(id!)
  const rows = await stage.world.db.query<{ id: Uuid }>(
    sql`select id from delivery where workspace_id = ${tenant.space.workspaceId} and mention_id = ${id}`,
  )
  for (const row of rows) {
    const item = stage.expected.get(toId('dlv', row.id))
    if (item) cancel(item)
  }
}

async function askAgain(stage: Stage): Promise<void> {
  const all = [...stage.expected.values()].slice(-200)
  if (all.length === 0) return
  const item = oneOf(stage, all)
  const again = stage.random() < 0.6 ? 'retry' : 'replay'
  const tenant = stage.tenants[item.workspace]!
  const channel = tenant.channels.find(({ id }) => id === item.channel)!
  // A replay of a replay repeats the first of them all; ids grow with time.
  const original = item.replayOf ?? item.id
  const hasReplay = [...stage.expected.values()].some(({ id, replayOf }) => replayOf === original && id > item.id)
  const refused = refusalOf(again, item, {
    enabled: channel.enabled,
    hasReplay,
    isClosed: item.mention !== undefined && item.mention !== null && stage.closed.has(item.mention),
    now: stage.world.clock.now().getTime(),
  })
  const named = { name: { kind: 'delivery' as const, id: uuidOf(item.id) }, channelId: null }
  const ask = again === 'retry' ? retryDelivery : replayDelivery
  const requestId = randomUUID()
  const answer = await ask(tenant.space, named, requestId)
  const code = isRefusal(answer) ? answer.code : null
  if (code !== refused)
    throw new Error(`a ${again} of ${JSON.stringify(item)} was answered with ${code} instead of ${refused}`)
  if (isRefusal(answer)) {
    stage.tally.refused += 1
    return
  }
  stage.tally.again += 1
  if (again === 'retry')
    Object.assign(item, { status: 'pending', limit: item.attempts + 5, notBefore: 0, before: null })
  else await expectReplay(stage, tenant, item)
  if (stage.random() < 0.3) {
    const repeated = await ask(tenant.space, named, requestId)
    if (isRefusal(repeated) || repeated.id !== answer.id) throw new Error(`a repeated ${again} was another one`)
  }
  for (const worker of stage.workers) worker.stage.wake()
}

async function expectReplay(stage: Stage, tenant: Tenant, item: Expected): Promise<void> {
  const rows = await stage.world.db.query<{ id: Uuid; replay_of: Uuid | null; digest_due_at: Date | null }>(sql`
    select id, replay_of, digest_due_at from delivery where workspace_id = ${tenant.space.workspaceId}
      and replay_of is not null order by created_at desc, id desc limit 20`)
  const fresh = rows.filter((row) => !stage.adopted.has(toId('dlv', row.id)))
  if (fresh.length !== 1) throw new Error(`a replay made ${fresh.length} deliveries`)
  expect(stage, tenant, {
    id: fresh[0]!.id,
    channelId: item.channel as Uuid,
    mention: item.mention,
    mode: item.mode,
    dueAt: fresh[0]!.digest_due_at,
    replayOf: toId('dlv', fresh[0]!.replay_of!),
  })
}

const uuidOf = (id: string): Uuid => fromId('dlv', id)!

async function tellEvent(stage: Stage): Promise<void> {
  const tenant = oneOf(stage, stage.tenants)
  const at = stage.world.clock.now()
  await stage.world.db.transaction((tx) =>
    recordAccountEvents(tx, [
      { workspaceId: tenant.space.workspaceId, event: 'wallet.low', at, data: { at: at.toISOString() } },
    ]),
  )
  await adoptNew(
    stage,
    tenant,
    'event',
    tenant.channels.filter(({ enabled }) => enabled).map(({ id }) => id),
  )
  for (const worker of stage.workers) worker.stage.wake()
}

async function adoptNew(
  stage: Stage,
  tenant: Tenant,
  kind: 'event' | 'digest',
  channels: readonly Uuid[] | null,
): Promise<void> {
  const rows = await stage.world.db.query<{
    id: Uuid
    channel_id: Uuid
    mode: Mode | null
    digest_due_at: Date | null
    alert_id: Uuid | null
    period: string | null
  }>(sql`
    select id, channel_id, mode, digest_due_at, alert_id, period from delivery
    where workspace_id = ${tenant.space.workspaceId} and kind = ${kind} and replay_of is null order by id desc
      limit 60`)
  const fresh = rows.filter((row) => !stage.adopted.has(toId('dlv', row.id)))
  if (channels !== null)
    same(`the channels of an ${kind}`, fresh.map((row) => row.channel_id).sort(), [...channels].sort())
  for (const row of fresh)
    expect(stage, tenant, {
      id: row.id,
      channelId: row.channel_id,
      mode: row.mode ?? 'instant',
      dueAt: row.digest_due_at,
      replayOf: null,
    })
  if (kind === 'digest') checkDigests(stage, tenant, fresh)
}

/** A digest goes to every channel of its rule that is on, once, and to none that is off. */
function checkDigests(
  stage: Stage,
  tenant: Tenant,
  fresh: readonly { channel_id: Uuid; alert_id: Uuid | null; period: string | null }[],
): void {
  for (const rule of tenant.rules) {
    const own = fresh.filter((row) => row.alert_id === rule.id)
    if (own.length === 0) continue
    stage.tally.digests += 1
    if (!rule.enabled || new Set(own.map(({ period }) => period)).size !== 1)
      throw new Error(`a rule sent digests of several periods at once, or while it is off: ${JSON.stringify(own)}`)
    same(
      'the channels of a digest',
      own.map((row) => row.channel_id).sort(),
      rule.channels
        .filter(({ enabled }) => enabled)
        .map(({ id }) => id)
        .sort(),
    )
  }
}

async function runDigests(stage: Stage): Promise<void> {
  const [first, second] = [stage.world.services, { ...stage.world.services, db: stage.world.db }]
  // Two processes that have their turn at once.
  await Promise.all(stage.random() < 0.3 ? [sendDigests(first), sendDigests(second)] : [sendDigests(first)])
  for (const tenant of stage.tenants) await adoptNew(stage, tenant, 'digest', null)
  for (const worker of stage.workers) worker.stage.wake()
}

function dieSoon(stage: Stage, worker: Worker): void {
  worker.crashAt(1 + Math.floor(stage.random() * 14), stage.random() < 0.4)
}

async function crash(stage: Stage): Promise<void> {
  const worker = oneOf(stage, stage.workers)
  if (stage.random() < 0.3) worker.kill()
  else dieSoon(stage, worker)
}

async function replaceWorker(stage: Stage): Promise<void> {
  const [worker] = stage.workers.splice(0, 1)
  let ended = false
  const ending = worker!.stop().then(() => {
    ended = true
  })
  while (!ended && !worker!.isDead) {
    await quiet(stage.busy)
    await stage.world.clock.advance(SECOND_MS)
  }
  if (!worker!.isDead) await ending
  employ(stage)
}

/** The machine's clock is put right: ahead, or back. Waits go on as they were. */
async function jump(stage: Stage): Promise<void> {
  const { clock } = stage.world
  if (!(await isIdle(stage))) return
  stage.tally.jumps += 1
  clock.set(
    new Date(clock.now().getTime() + oneOf(stage, [-10 * MINUTE_MS, -90 * SECOND_MS, 50 * SECOND_MS, 2 * HOUR_MS])),
  )
}

async function tidy(stage: Stage): Promise<void> {
  await rotateOutbox(stage.world.db, { turnAtBytes: 1 })
}

/** Lets everybody do what can be done now, and compares. */
async function rest(stage: Stage): Promise<void> {
  do {
    for (let round = 0; round < 4; round += 1) {
      await quiet(stage.busy)
      await stage.world.clock.advance(5)
    }
    await quiet(stage.busy)
  } while (bury(stage))
  await compare(stage)
}

/** Replaces who has died; true when somebody new begins, who looks for work at once. */
function bury(stage: Stage): boolean {
  const [complaint] = stage.workers.flatMap(({ complaints }) => complaints)
  if (complaint !== undefined) throw new Error(`a process complains: ${complaint}`)
  const dead = stage.workers.filter(({ isDead }) => isDead)
  stage.tally.crashes += dead.length
  stage.workers = stage.workers.filter(({ isDead }) => !isDead)
  const isShort = stage.workers.length < 2
  while (stage.workers.length < 2) employ(stage)
  return isShort
}

interface Row {
  id: Uuid
  status: Status
  attempts: number
}

async function compare(stage: Stage): Promise<void> {
  for (const request of stage.receivers.takeBegun()) {
    checkBegin(stage, request)
    stage.open.add(request)
  }
  const answered = [...stage.open]
    .filter(({ result }) => result !== null)
    .sort((a, b) => a.result!.at.getTime() - b.result!.at.getTime())
  const touched = new Set(stage.unsettled.keys())
  for (const request of answered) {
    const item = stage.expected.get(request.id)!
    if (request.result!.outcome === 'delivered') stage.tally.accepted += 1
    applyResult(item, request.result!)
    item.history.push(
      `step ${stage.tally.steps}: ${request.result!.outcome} to worker ${request.worker}, asked at ${request.begunAt.toISOString()}`,
    )
    touched.add(item)
    stage.unsettled.set(item, request.worker)
    stage.open.delete(request)
  }
  if (touched.size > 0) await compareRows(stage, [...touched])
}

/** What must hold of a request when it is made. */
function checkBegin(stage: Stage, request: Request): void {
  const item = stage.expected.get(request.id)
  if (item === undefined) throw new Error(`something was sent that nobody ordered: ${JSON.stringify(request)}`)
  const channel = stage.tenants[item.workspace]!.channels.find(({ id }) => id === item.channel)!
  const say = (what: string) => new Error(`${what}: ${JSON.stringify({ request, one: item, channel })}`)
  if (item.status !== 'pending') throw say(`a delivery was sent that is ${item.status}`)
  if (!channel.enabled) throw say('a delivery was sent through a channel that is off')
  if (channel.address !== request.address) throw say('a delivery was sent to where the channel led before')
  if (request.begunAt.getTime() < item.notBefore) throw say('a delivery was sent too soon')
  if (item.accepted > 0) stage.tally.repeated += 1
}

async function compareRows(stage: Stage, some: readonly Expected[]): Promise<void> {
  const rows = await stage.world.db.query<Row & { queued: boolean }>(sql`
    select d.id, d.status, d.attempts, exists (select from delivery_queue q where q.workspace_id = d.workspace_id
      and q.delivery_id = d.id) as queued
    from delivery d where d.id = any(${some.map(({ id }) => uuidOf(id))}::uuid[])`)
  const byId = new Map(rows.map((row) => [toId('dlv', row.id), row]))
  for (const item of some) {
    const row = byId.get(item.id as never)
    if (!row) throw new Error(`a delivery is gone: ${JSON.stringify(item)}`)
    const { before } = item
    const isBefore = before !== null && row.status === before.status && row.attempts === before.attempts
    const worker = stage.unsettled.get(item)
    // Results are written down a moment later. A process that died may have taken one along; then it is tried again.
    if (isBefore && row.status !== 'cancelled' && stage.workers.some(({ number }) => number === worker)) {
      continue
    }
    if (isBefore) {
      Object.assign(item, before)
      item.history.push(`step ${stage.tally.steps}: the result was lost with worker ${worker}`)
    }
    stage.unsettled.delete(item)
    // Asked for again although its mention is closed: that is found out when its turn has come.
    if (
      item.status === 'pending' &&
      row.status === 'cancelled' &&
      item.mention !== null &&
      stage.closed.has(item.mention)
    )
      item.status = 'cancelled'
    if (item.isOnEdge && row.status === 'failed' && row.attempts === item.attempts) item.status = 'failed'
    item.before = null
    if (row.status !== item.status || row.attempts !== item.attempts)
      throw new Error(`a delivery is ${JSON.stringify(row)} instead of ${JSON.stringify(item)}`)
    if (row.queued !== (row.status === 'pending'))
      throw new Error(
        `a delivery that is ${row.status} ${row.queued ? 'still has' : 'has no'} place in the queue: ${JSON.stringify(item)}`,
      )
  }
}

async function checkAll(stage: Stage): Promise<void> {
  const all = [...stage.expected.values()]
  await compareRows(stage, all)
  const [{ n } = { n: 0 }] = await stage.world.db.query<{ n: number }>(sql`select count(*) as n from delivery`)
  same('the number of deliveries', n, all.length + stage.forgotten)
  // Whom a process asked that has died since is never heard of again.
  for (const request of stage.open)
    if (!stage.workers.some(({ number }) => number === request.worker)) stage.open.delete(request)
  for (const item of all.slice(0, -REMEMBERED)) {
    if (item.status === 'pending' || item.status === 'held') continue
    stage.expected.delete(item.id)
    stage.forgotten += 1
  }
}

const REMEMBERED = 2000

/** In the end everybody accepts, and nothing may be left. */
async function heal(stage: Stage): Promise<void> {
  for (const { channels } of stage.tenants)
    for (const { address } of channels) stage.receivers.change(address, 'accepts')
  for (let round = 0; round < 60; round += 1) {
    await stage.world.clock.advance(10 * SECOND_MS)
    await rest(stage)
    await stage.world.clock.advance(round < 30 ? 30 * SECOND_MS : 20 * MINUTE_MS)
    await rest(stage)
  }
  await checkAll(stage)
  const left = [...stage.expected.values()].filter(({ status }) => status === 'pending')
  if (left.length > 0) throw new Error(`${left.length} deliveries are still waiting: ${JSON.stringify(left[0])}`)
}

async function close(stage: Stage): Promise<void> {
  let ended = false
  const ending = Promise.all(stage.workers.filter(({ isDead }) => !isDead).map((worker) => worker.stop())).then(() => {
    ended = true
  })
  for (let round = 0; round < 100 && !ended; round += 1) {
    await quiet(stage.busy)
    await stage.world.clock.advance(SECOND_MS)
  }
  if (ended) await ending
  await stage.world.close()
}

function same(what: string, found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`)
}
