import { createMetrics } from '../../../test/metrics.ts'
import { eventually, whileTimePasses } from '../../../test/stand-ins/pipeline.ts'
import { accepted, createWorld, stored, type TestWorkspace, type World } from '../../../test/world.ts'
import { type LocalReceiver, startLocalReceiver } from '../../channels/local-receiver.suite.ts'
import { createChannel } from '../../commands/channels/create-channel.ts'
import { newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { type DeliverOptions, DeliverStage } from '../../pipeline/deliver/deliver.ts'
import { sql } from '../../store/database.ts'
import { recordAccountEvents } from '../../store/workspace/account-events.ts'

/** A channel with a real receiver behind it. */
export interface Route {
  channelId: Uuid
  receiver: LocalReceiver
}

/** A digest that a rule is taken to have sent. */
export interface MadeDigest {
  alertId: Uuid
  period: string
  mode?: 'hourly' | 'daily' | 'weekly'
  dueAt?: Date
  status?: string
  error?: string | null
  data?: object
}

/** A world in which deliveries are really sent. */
export interface Delivering {
  world: World
  acme: TestWorkspace
  route(more?: { headers?: Record<string, string> }): Promise<Route>
  /** Writes a delivery of an account event down for a channel and answers its id as callers see it. */
  due(channelId: Uuid, data?: Record<string, unknown>): Promise<string>
  digest(channelId: Uuid, digest: MadeDigest): Promise<Uuid>
  /** Sends what is due until `stop`. */
  run(more?: Partial<DeliverOptions>): { stop(): Promise<void> }
  /** Says that something is due now, as the database does when the service listens to it. */
  wake(): void
  /** Waits until a check passes, while time passes. */
  soon(check: () => unknown, stepMs?: number): Promise<void>
  /** Straight from the database: a look through the interface costs more, and counts towards its limit. */
  rowOf(id: string): Promise<{ status: string; attempts: number } | undefined>
  statusOf(id: string): Promise<string | undefined>
  close(): Promise<void>
}

export async function startDelivering(): Promise<Delivering> {
  const world = await createWorld()
  const acme = await world.workspace('Acme')
  const closing: (() => Promise<unknown>)[] = []
  const stages: DeliverStage[] = []
  const rowOf = async (id: string) =>
    (
      await world.db.query<{ status: string; attempts: number }>(
        sql`select status, attempts from delivery where id = ${stored('dlv', id)}`,
      )
    )[0]
  return {
    world,
    acme,
    async route(more = {}) {
      const receiver = await startLocalReceiver()
      closing.push(receiver.close)
      return {
        channelId: stored(
          'dest',
          accepted(await createChannel(acme, { kind: 'webhook', url: receiver.url, events: ['wallet.low'], ...more }))
            .id,
        ),
        receiver,
      }
    },
    async due(channelId, data = { number: 1 }) {
      await world.db.transaction((tx) =>
        recordAccountEvents(tx, [{ workspaceId: acme.workspaceId, event: 'wallet.low', at: world.clock.now(), data }]),
      )
      const [row] = await world.db.query<{ id: Uuid }>(
        sql`select id from delivery where channel_id = ${channelId} order by id desc limit 1`,
      )
      return toId('dlv', row!.id)
    },
    async digest(
      channelId,
      {
        alertId,
        period,
        mode = 'daily',
        dueAt = world.clock.now(),
        status = 'failed',
        error = 'status 500',
        data = { period: {} },
      },
    ) {
      const id = newUuid(world.clock.now())
      await world.db.query(sql`
        insert into delivery (workspace_id, id, channel_id, kind, event, alert_id, data, status, attempts, error,
          created_at, mode, digest_due_at, period)
        values (${acme.workspaceId}, ${id}, ${channelId}, 'digest', 'digest', ${alertId},
          ${JSON.stringify(data)}::jsonb, ${status}, 1, ${error}, ${world.clock.now()}, ${mode}, ${dueAt}, ${period})`)
      return id
    },
    run(more = {}) {
      const { channels, around, sealer } = world.services
      const stage = new DeliverStage({
        db: world.db,
        clock: world.clock,
        log: silentLog,
        metrics: createMetrics(),
        channels,
        around,
        sealer,
        ...more,
      })
      stages.push(stage)
      const ending = new AbortController()
      const running = stage.run(ending.signal)
      const stop = async () => {
        ending.abort()
        await whileTimePasses(world.clock, running)
      }
      closing.push(stop)
      return { stop }
    },
    wake() {
      for (const stage of stages) stage.wake()
    },
    soon: (check, stepMs = 5) => eventually(check, { clock: world.clock, stepMs, withinMs: 20_000 }),
    rowOf,
    statusOf: async (id) => (await rowOf(id))?.status,
    async close() {
      for (const close of closing.reverse()) await close()
      await world.close()
    },
  }
}
