import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { checkEvents, checkLabel } from '../checked-settings.ts'
import type { ChannelSettings, ChannelSetup } from '../contract.ts'

/** Which chat a channel speaks in, as it is stored. Chats connect themselves: callers set nothing of it. */
export interface TelegramDestination {
  /** Larger than 32 bits and negative for groups, so it is kept as text. Null while no chat is connected. */
  chatId: string | null
  /** private, group or supergroup. */
  chatType: string | null
  /** How the chat is called: the label of a channel that has none of its own. */
  chatName: string | null
}

/**
 * What a caller says of a Telegram channel. The destination is said only by ourselves, of a channel that has one
 * already.
 */
export interface TelegramInput extends Partial<TelegramDestination> {
  label?: string | undefined
  events?: readonly string[] | undefined
  /** Fields of other kinds, which are refused. */
  url?: unknown
  headers?: unknown
}

/** How a channel is called before a chat is connected. */
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
