import { PRESET_EVENTS, PRESETS, type PresetEvent } from '../../domain/alert/presets.ts'
import { beginsDigests } from '../../domain/alert/rule-schedule.ts'
import { progressFrom } from '../../domain/delivery/due-digest.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import {
  objectionTo,
  type PresetRule,
  type PresetsView,
  readPresetRules,
  showPresets,
} from '../../queries/channels/get-presets.ts'
import {
  cancelOfAlert,
  insertAlert,
  lockAlert,
  lockAlerts,
  removeCancelled,
  type StoredAlert,
  updateAlert,
} from '../../store/alert/alerts.ts'
import { writeDigestProgress } from '../../store/alert/digests.ts'
import { lockChannel } from '../../store/channel/channels.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { lockWorkspace } from '../../store/workspace/workspaces.ts'
import { refusesMore } from '../workspaces/refuses-more.ts'
import type { Writing } from '../writing.ts'
import { nextRunToSend } from './next-run-to-send.ts'

/** Which preset rules a channel is to have. */
export interface PresetsChange {
  events: readonly PresetEvent[]
  /** The version that the caller has read. */
  version: number
}

/**
 * Gives a webhook channel the rules of these presets, and takes those of all others away with what they have not sent
 * yet. A rule that it has already stays as it is, and one that is switched off is switched on.
 */
export async function setPresets(
  writing: Writing,
  channelId: Uuid,
  { events, version }: PresetsChange,
): Promise<PresetsView | Refusal<'not_found' | 'version_conflict' | 'conflict'>> {
  const { db, workspaceId } = writing
  return await db.transaction(async (tx) => {
    const seen = await readPresetRules(tx, workspaceId, channelId)
    const more = events.filter((event) => !seen.some((rule) => rule.event === event)).length
    // Workspaces come before everything else that is locked here.
    if (more > 0) await lockWorkspace(tx, workspaceId)
    // Whoever is refused has cancelled nothing.
    await tx.query(sql`savepoint unchanged`)
    const going =
      showPresets(seen).version === version
        ? seen.filter(({ event, enabled }) => enabled && !events.includes(event))
        : []
    const cancelled: { id: Uuid; from: Uuid }[] = []
    for (const { id } of going) cancelled.push({ id, from: await cancelOfAlert(tx, workspaceId, id) })
    // Deliveries come before rules and rules before channels, as for whoever sends through them. The channel keeps
    // others from making rules for it meanwhile, and what was made while it was waited for is seen now.
    await lockAlerts(
      tx,
      workspaceId,
      seen.map(({ id }) => id),
    )
    const channel = await lockChannel(tx, workspaceId, channelId)
    const rules = await readPresetRules(tx, workspaceId, channelId)
    const now = showPresets(rules)
    const refusal =
      objectionTo(channel) ??
      (now.version === version ? null : changedSince()) ??
      (await refusesRules(tx, workspaceId, more - going.length))
    if (refusal !== null) {
      await tx.query(sql`rollback to savepoint unchanged`)
      return refusal
    }
    for (const { id, from } of cancelled) await removeCancelled(tx, workspaceId, id, from)
    const added = PRESET_EVENTS.filter((event) => events.includes(event) && !now.events.includes(event))
    for (const event of added) await addRule(tx, writing, channelId, event, rules)
    return showPresets(await readPresetRules(tx, workspaceId, channelId))
  })
}

/** Why there is no room for so many more rules; null where there is, or where they do not become more. */
async function refusesRules(tx: Transaction, workspaceId: Uuid, more: number): Promise<Refusal<'conflict'> | null> {
  return more > 0 ? refusesMore(tx, workspaceId, 'alerts', more) : null
}

function changedSince(): Refusal<'version_conflict'> {
  return refuse('version_conflict', 'The preset rules of the channel changed since they were read; read them again')
}

async function addRule(
  tx: Transaction,
  writing: Writing,
  channelId: Uuid,
  event: PresetEvent,
  rules: readonly PresetRule[],
): Promise<void> {
  const { workspaceId, clock } = writing
  const at = clock.now()
  const resting = rules.find((rule) => rule.event === event)
  const alert = resting === undefined ? null : await lockAlert(tx, workspaceId, resting.id)
  const rule: StoredAlert =
    alert === null
      ? {
          ...PRESETS[event],
          event,
          enabled: true,
          workspaceId,
          id: newUuid(at),
          nextRunAt: null,
          version: 1,
          createdAt: at,
          channelIds: [channelId],
        }
      : { ...alert, enabled: true, version: alert.version + 1 }
  const store = alert === null ? insertAlert : updateAlert
  await store(tx, { ...rule, nextRunAt: await nextRunToSend(tx, rule, at) })
  if (beginsDigests(rule, alert)) await writeDigestProgress(tx, workspaceId, rule.id, progressFrom(at))
}
