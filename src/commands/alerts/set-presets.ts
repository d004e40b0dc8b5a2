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
import type { WritingContext } from '../writing.ts'
import { nextRunToSend } from './next-run-to-send.ts'

export interface PresetsChange {
  events: readonly PresetEvent[]
  version: number
}

/**
 * Adds the preset rules of a webhook channel and removes all other presets with their unsent deliveries. Existing rules
 * stay and are enabled.
 */
export async function setPresets(
  writing: WritingContext,
  channelId: Uuid,
  { events, version }: PresetsChange,
): Promise<PresetsView | Refusal<'not_found' | 'version_conflict' | 'conflict'>> {
  const { db, workspaceId } = writing
  return await db.transaction(async (tx) => {
    const seen = await readPresetRules(tx, workspaceId, channelId)
    const more = events.filter((event) => !seen.some((rule) => rule.event === event)).length
    // Workspaces are locked before everything else here.
    if (more > 0) await lockWorkspace(tx, workspaceId)
    // A refusal rolls back to here, so that it cancels nothing.
    await tx.query(sql`savepoint unchanged`)
    const going =
      showPresets(seen).version === version
        ? seen.filter(({ event, enabled }) => enabled && !events.includes(event))
        : []
    const cancelled: { id: Uuid; from: Uuid }[] = []
    for (const { id } of going) cancelled.push({ id, from: await cancelOfAlert(tx, workspaceId, id) })
    // Locks deliveries, then rules, then channels, as sending does. The channel's lock keeps others from adding rules
    // to it, so rules made during the wait are visible now.
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

async function refusesRules(tx: Transaction, workspaceId: Uuid, more: number): Promise<Refusal<'conflict'> | null> {
  return more > 0 ? refusesMore(tx, workspaceId, 'alerts', more) : null
}

function changedSince(): Refusal<'version_conflict'> {
  return refuse('version_conflict', 'The preset rules of the channel changed since you read them. Read them again.')
}

async function addRule(
  tx: Transaction,
  writing: WritingContext,
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
