import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { checkEvents, checkLabel } from '../checked-settings.ts'
import type { ChannelSettings, ChannelSetup } from '../contract.ts'

/** Set when a chat connects itself, never by callers. */
export interface TelegramDestination {
  /** Ids exceed 32 bits and are negative for groups. Null until a chat is connected. */
  chatId: string | null
  /** private, group or supergroup. */
  chatType: string | null
  /** The default label. */
  chatName: string | null
}

export interface TelegramInput extends Partial<TelegramDestination> {
  label?: string | undefined
  events?: readonly string[] | undefined
  /** Refused fields of other kinds. */
  url?: unknown
  headers?: unknown
}

/** The label until a chat is connected. */
export const UNCONNECTED_LABEL = 'Telegram'

export function createTelegramSetup(): ChannelSetup<TelegramInput, TelegramDestination> {
  return {
    create: ({ chatId = null, chatType = null, chatName = null, ...input }) =>
      settingsOf({ chatId, chatType, chatName }, input.label, input.events ?? []),
    change(current, input) {
      for (const field of ['url', 'headers'] as const)
        if (input[field] !== undefined) return refuseField(field, 'is not a field of a Telegram channel')
      const settings = settingsOf(current.config, input.label ?? current.label, input.events ?? current.events)
      return isRefusal(settings) ? settings : { settings, cancelsUnsent: false }
    },
    newSecret: () => null,
  }
}

function settingsOf(
  config: TelegramDestination,
  label: string | undefined,
  names: readonly string[],
): ChannelSettings<TelegramDestination> | Refusal<'validation_error'> {
  const checked = checkLabel(label ?? config.chatName ?? UNCONNECTED_LABEL)
  if (isRefusal(checked)) return checked
  const events = checkEvents('telegram', names)
  return isRefusal(events) ? events : { label: checked, config, events }
}
