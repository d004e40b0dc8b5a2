import { createHash } from 'node:crypto'
import { PRESET_EVENTS, type PresetEvent, presetOf } from '../../domain/alert/presets.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type RuleOfOneChannel, readRulesOfChannel } from '../../store/alert/alerts.ts'
import { readChannels, type StoredChannel } from '../../store/channel/channels.ts'
import type { Reader } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'
import { noSuchChannel } from './get-channel.ts'

export interface PresetsView {
  events: PresetEvent[]
  /** Changes with every change of a preset rule. */
  version: number
}

/** A preset may have several rules, some of them disabled. */
export interface PresetRule extends RuleOfOneChannel {
  event: PresetEvent
}

/** The preset events that a webhook channel has. */
export async function getPresets(
  { db, workspaceId }: QueryContext,
  channelId: Uuid,
): Promise<PresetsView | Refusal<'not_found'>> {
  const [channel] = await readChannels(db, workspaceId, [channelId])
  return objectionTo(channel ?? null) ?? showPresets(await readPresetRules(db, workspaceId, channelId))
}

/** Null for a channel with presets. */
export function objectionTo(channel: StoredChannel | null): Refusal<'not_found'> | null {
  if (channel === null) return noSuchChannel()
  return channel.kind === 'webhook' ? null : refuse('not_found', 'Only webhook channels have presets')
}

/** Rules for this channel alone, oldest first. */
export async function readPresetRules(reader: Reader, workspaceId: Uuid, channelId: Uuid): Promise<PresetRule[]> {
  const rules = await readRulesOfChannel(reader, workspaceId, channelId)
  return rules.flatMap((rule) => {
    const event = presetOf(rule)
    return event === null ? [] : [{ ...rule, event }]
  })
}

/** Shows enabled rules; the version covers all. */
export function showPresets(rules: readonly PresetRule[]): PresetsView {
  const sending = new Set(rules.filter(({ enabled }) => enabled).map(({ event }) => event))
  return { events: PRESET_EVENTS.filter((event) => sending.has(event)), version: versionOf(rules) }
}

/** As many bytes as a number holds exactly. */
const VERSION_BYTES = 6
export const PRESETS_VERSION_MAX = 2 ** (8 * VERSION_BYTES) - 1

/** A hash of the rules' versions, so a caller's old version is detected. */
function versionOf(rules: readonly PresetRule[]): number {
  const digest = createHash('sha256').update(rules.map(({ id, version }) => `${id} ${version}`).join('\n'))
  return digest.digest().readUIntBE(0, VERSION_BYTES)
}
