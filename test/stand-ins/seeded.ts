import { randomBytes } from 'node:crypto'
import { createChannels } from '../../src/channels/registry.ts'
import { createAlert } from '../../src/commands/alerts/create-alert.ts'
import { createChannel } from '../../src/commands/channels/create-channel.ts'
import { createAroundSendings } from '../../src/commands/channels/registry.ts'
import { createWorkspace } from '../../src/commands/workspaces/create-workspace.ts'
import type { Services } from '../../src/commands/writing.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { createEgress } from '../../src/kernel/egress.ts'
import { newUuid, type Uuid } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { createSealer } from '../../src/kernel/sealing.ts'
import { type Database, sql } from '../../src/store/database.ts'
import { accepted, stored } from '../makers.ts'
import { liftWelcomeLimits } from '../rows.ts'
import { NO_INSPECTIONS } from './inspections.ts'
import { scriptedSources } from './sources.ts'

/** For EARSHOT_SECRET_KEY: what seals the secrets of the channels made here. */
export const SECRET_KEY = randomBytes(32).toString('hex')

const PUBLIC_URL = 'http://localhost:4400'

const PORTION = 20_000

/**
 * What it takes to run commands on a database in the process of a test or a benchmark; another process on the same
 * database needs the same key.
 */
export function servicesOn(db: Database, secretKey = SECRET_KEY): Services & { close(): Promise<void> } {
  const egress = createEgress({ allow: ['127.0.0.1'] })
  const sealer = createSealer(secretKey)
  const channels = createChannels({
    egress,
    inspections: NO_INSPECTIONS,
    clock: systemClock,
    userAgent: 'Earshot test',
    publicUrl: PUBLIC_URL,
    mail: null,
    slack: null,
    telegram: null,
  })
  return {
    db,
    clock: systemClock,
    publicUrl: PUBLIC_URL,
    billing: 'metered',
    retention: { mentionDays: null, deliveryDays: 30 },
    signUp: 'invited',
    channels,
    around: createAroundSendings({
      db,
      clock: systemClock,
      sealer,
      publicUrl: PUBLIC_URL,
      log: silentLog,
    }),
    sealer,
    mail: null,
    slack: null,
    telegram: null,
    payments: null,
    languageModel: null,
    sources: scriptedSources(),
    log: silentLog,
    close: egress.close,
  }
}

/** Workspaces that no welcome credit limits. */
export async function seedWorkspaces(services: Services, count: number): Promise<Uuid[]> {
  const ids: Uuid[] = []
  for (let number = 0; number < count; number += 1) ids.push(await createWorkspace(services, `Workspace ${number}`))
  await liftWelcomeLimits(services)
  return ids
}

/** Keywords in bulk, spread evenly over the workspaces, past the checks and limits of the command. */
export async function seedKeywords(
  db: Database,
  workspaces: readonly Uuid[],
  count: number,
  termOf: (number: number) => string,
): Promise<void> {
  const at = systemClock.now()
  for (let begin = 0; begin < count; begin += PORTION) {
    const numbers = Array.from({ length: Math.min(PORTION, count - begin) }, (_, offset) => begin + offset)
    const ids = numbers.map(() => newUuid(at))
    const owners = numbers.map((number) => workspaces[number % workspaces.length]!)
    await db.query(sql`
      insert into keyword (workspace_id, id, group_id, term, term_folded, kind, required_terms, required_mode,
        excluded_terms, excluded_authors, excluded_author_keys, case_sensitive, muted,
        created_at, judged_since)
      select t.workspace_id, t.id, g.id, t.term, lower(t.term), 'brand', '{}', 'any', '{}', '{}', '{}', false, false,
        ${at}, ${at}
      from unnest(${owners}::uuid[], ${ids}::uuid[], ${numbers.map(termOf)}::text[]) as t (workspace_id, id, term)
      join keyword_group g on g.workspace_id = t.workspace_id and g.is_default`)
  }
  await db.query(
    sql`insert into keyword_counter (workspace_id, keyword_id, month)
        select workspace_id, id, date_trunc('month', ${at}::timestamptz)::date from keyword`,
  )
}

/** A webhook for each workspace, and a rule that sends it every mention, relevant or not. */
export async function seedRules(
  services: Services,
  workspaces: readonly Uuid[],
  urlOf: (number: number) => string,
): Promise<void> {
  for (const [number, workspaceId] of workspaces.entries()) {
    const writing = { ...services, workspaceId }
    const channel = accepted(await createChannel(writing, { kind: 'webhook', url: urlOf(number) }))
    const filter = { minRelevance: 0 }
    accepted(
      await createAlert(writing, {
        name: 'All',
        mode: 'instant',
        event: 'mention.matched',
        filter,
        channelIds: [stored('dest', channel.id)],
        enabled: true,
      }),
    )
  }
}
