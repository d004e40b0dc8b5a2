import { createChannels } from '../../src/channels/registry.ts'
import { createChannel } from '../../src/commands/channels/create-channel.ts'
import { createAroundSendings } from '../../src/commands/channels/registry.ts'
import { createWorkspace } from '../../src/commands/workspaces/create-workspace.ts'
import { DAY_MS, dayStart, MINUTE_MS, plus } from '../../src/kernel/clock.ts'
import { createEgress } from '../../src/kernel/egress.ts'
import type { Uuid } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { createSealer } from '../../src/kernel/sealing.ts'
import { verifyLedger } from '../../src/queries/wallet/verify-ledger.ts'
import { type Database, openDatabase, type Reader } from '../../src/store/database.ts'
import { createTestClock } from '../clock.ts'
import { createTestDatabase } from '../database-server.ts'
import { accepted } from '../makers.ts'
import { randomFrom } from '../random.ts'
import { NO_INSPECTIONS } from '../stand-ins/inspections.ts'
import { scriptedSources } from '../stand-ins/sources.ts'
import { chosen } from './choices.ts'
import { newWorkspace, type WorkspaceModel } from './model.ts'
import { audit } from './observe.ts'
import { compare, count, perform } from './performing.ts'
import { complain, type Plan, type Stage, type Tally } from './stage.ts'

/**
 * Every so many days all workspaces are looked at; after a crash and after a race those that it was about are, at once,
 * or some of them.
 */
const COMPARED_EVERY = 10
/** How often everything that was ever written is compared on the way. */
const AUDITS = 4

export interface Simulation {
  db: Database
  models: Map<Uuid, WorkspaceModel>
  tally: Tally
  /** Everything in which the code and the model differ, as this reader sees it. */
  differences(reader: Reader): Promise<string[]>
  close(): Promise<void>
}

/**
 * Lets virtual days pass over workspaces, on the real code and in the model, with several processes, crashes and
 * repeated starts, and compares the two all the time. Fails at the first difference, saying after which operation.
 */
export async function simulate(plan: Plan): Promise<Simulation> {
  const database = await createTestDatabase()
  const clock = createTestClock()
  const egress = createEgress({ allow: ['127.0.0.1'] })
  const databases = [1, 2].map(() => openDatabase({ connection: database.connection, poolSize: 4, log: silentLog }))
  const publicUrl = 'https://earshot.test'
  const shared = {
    clock,
    publicUrl,
    billing: 'metered' as const,
    retention: { mentionDays: null, deliveryDays: 30 },
    signUp: 'invited' as const,
    channels: createChannels({
      egress,
      inspections: NO_INSPECTIONS,
      clock,
      userAgent: 'Earshot test',
      publicUrl,
      mail: null,
      slack: null,
      telegram: null,
    }),
    sealer: createSealer('00'.repeat(32)),
    mail: null,
    slack: null,
    telegram: null,
    payments: null,
    languageModel: null,
    sources: scriptedSources(),
    log: silentLog,
  }
  const tally = {
    operations: 0,
    crashes: 0,
    races: 0,
    overtaken: 0,
    done: new Map(),
    refused: 0,
    events: new Map(),
    entries: 0,
  }
  const processes = databases.map((db) => ({ ...shared, db, around: createAroundSendings({ ...shared, db }) }))
  const stage: Stage = {
    plan,
    random: randomFrom(plan.seed),
    clock,
    processes,
    models: new Map(),
    tally,
    posts: [],
    keys: [],
  }
  const close = async () => {
    await Promise.all(databases.map((db) => db.close()))
    await egress.close()
    await database.drop()
  }
  try {
    await live(stage)
  } catch (error) {
    await close()
    throw error
  }
  const db = databases[0]!
  return { db, models: stage.models, tally, differences: (reader) => differences(stage, reader), close }
}

async function live(stage: Stage): Promise<void> {
  const { plan, clock, tally } = stage
  for (let day = 0; day < plan.days; day += 1) {
    const wanted = Math.ceil(plan.workspaces * Math.min(1, 0.6 + day / plan.days))
    while (stage.models.size < wanted) await addWorkspace(stage)
    await liveDay(stage, Math.round((plan.operations * (day + 1)) / plan.days))
    if (day % COMPARED_EVERY === 0) await compare(stage, [...stage.models.keys()], 'the day')
    if ((day + 1) % Math.ceil(plan.days / AUDITS) === 0)
      complain(await differences(stage, stage.processes[0]!.db), stage, 'everything so far')
    clock.set(dayStart(plus(clock.now(), DAY_MS)))
  }
  for (const { entries, events } of stage.models.values()) {
    tally.entries += entries.length
    for (const event of events) count(tally.events, (JSON.parse(event) as [string])[0])
  }
  complain(await differences(stage, stage.processes[0]!.db), stage, 'all')
}

async function liveDay(stage: Stage, operations: number): Promise<void> {
  const { clock, tally, random } = stage
  const midnight = dayStart(clock.now()).getTime()
  const runs = runTimes(stage).map((ms) => midnight + ms)
  const todo = Math.max(1, operations - tally.operations)
  // So many moments of the day at which something happens; how much happens at each is left to chance.
  const moments = Array.from({ length: Math.ceil(todo / 4) }, () => midnight + random() * (DAY_MS - MINUTE_MS))
  for (const ms of [...moments, ...runs].sort((a, b) => a - b)) {
    clock.set(new Date(Math.max(ms, clock.now().getTime())))
    if (runs.includes(ms)) await perform(stage, { kind: 'run' })
    else if (tally.operations < operations) await perform(stage, await chosen(stage))
  }
  while (tally.operations < operations) await perform(stage, await chosen(stage))
  await perform(stage, { kind: 'watch' })
}

/**
 * When the run of a day is started: mostly in time, now and then too early, late, more than once or not at all. In
 * milliseconds after midnight.
 */
function runTimes(stage: Stage): number[] {
  const { random } = stage
  const draw = random()
  const inTime = (5 + 5 * random()) * MINUTE_MS
  if (draw < 0.06) return []
  if (draw < 0.15) return [random() * (DAY_MS - MINUTE_MS)]
  if (draw < 0.25) return [4.99 * MINUTE_MS, 5 * MINUTE_MS]
  if (draw < 0.35) return [inTime, random() * (DAY_MS - MINUTE_MS)]
  return [inTime]
}

async function addWorkspace({ processes, models, clock }: Stage): Promise<void> {
  const [services] = processes
  const workspaceId = await createWorkspace(services!, `Workspace ${models.size + 1}`)
  const events = [
    'keyword.capped',
    'keyword.paused_for_balance',
    'keyword.resumed',
    'wallet.low',
    'wallet.paused',
    'wallet.resumed',
  ] as const
  accepted(
    await createChannel(
      { ...services!, workspaceId },
      { kind: 'webhook', url: 'https://receiver.example/', events: [...events] },
    ),
  )
  models.set(workspaceId, newWorkspace(workspaceId, clock.now()))
}

async function differences({ models }: Stage, reader: Reader): Promise<string[]> {
  const verified = await verifyLedger(reader, { metered: true })
  return [
    ...(await audit(reader, models.values())),
    ...verified.differences.map((difference) => `verify: ${JSON.stringify(difference)}`),
  ]
}
