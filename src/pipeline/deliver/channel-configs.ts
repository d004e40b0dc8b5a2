import type { Channels } from '../../channels/contract.ts'
import { boundedCache } from '../../kernel/concurrency/bounded-cache.ts'
import type { Sealer } from '../../kernel/sealing.ts'
import { openConfig } from '../../store/channel/channel-config.ts'
import { secretBinding } from '../../store/channel/channels.ts'
import type { DueDelivery } from '../../store/delivery/due-deliveries.ts'

const CONFIGS_MAX = 10_000

interface CachedConfig {
  settings: string
  secretSealed: string | null
  config: object
}

export class ChannelConfigs {
  private readonly channels: Channels
  private readonly sealer: Sealer
  private readonly known = boundedCache<CachedConfig>({ most: CONFIGS_MAX })

  constructor({ channels, sealer }: { channels: Channels; sealer: Sealer }) {
    this.channels = channels
    this.sealer = sealer
  }

  /** Null when decryption fails, a refusal when the settings are invalid. */
  of(due: Pick<DueDelivery, 'channelId' | 'workspaceId' | 'channel'>): object | null {
    const { settings, secretSealed } = due.channel
    const cached = this.known.get(due.channelId)
    if (cached?.settings === settings && cached.secretSealed === secretSealed) return cached.config
    const config = this.read(due)
    if (config === null) return null
    this.known.set(due.channelId, { settings, secretSealed, config })
    return config
  }

  private read({ channelId, workspaceId, channel }: Pick<DueDelivery, 'channelId' | 'workspaceId' | 'channel'>) {
    const { kind, settings, secretSealed } = channel
    const { sealer } = this
    const secret = secretSealed === null ? undefined : sealer.open(secretSealed, secretBinding(workspaceId, channelId))
    const stored = openConfig(sealer, { workspaceId, id: channelId }, JSON.parse(settings) as Record<string, unknown>)
    if (secret === null || stored === null) return null
    const { sender } = this.channels.get(kind)!
    return sender.readConfig({ ...stored, ...(secret === undefined ? {} : { secret }) }) as object
  }
}
