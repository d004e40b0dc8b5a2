import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { cleanLine, excerpt } from '../../kernel/text.ts'
import { checkEvents, checkLabel, MAX_LABEL_LENGTH } from '../checked-settings.ts'
import type { ChannelSettings, ChannelSetup } from '../contract.ts'

/** Where a channel leads, as it is stored. */
export interface SlackDestination {
  /** The team whose channel it is; of the connection by which it was made, and shown to nobody. */
  teamId: string
  channelId: string
  /** As callers say it, without a sign before it. */
  channelName: string
}

/** What a caller says of a Slack channel. The team is said only by ourselves. */
export interface SlackInput extends SlackDestination {
  label?: string | undefined
  events?: readonly string[] | undefined
  /** Fields of other kinds, which are refused. */
  url?: unknown
  headers?: unknown
}

export function createSlackSetup(): ChannelSetup<SlackInput, SlackDestination> {
  return {
    create({ teamId, channelId, channelName, label, events = [] }) {
      const config = checkDestination(teamId, channelId, channelName)
      return isRefusal(config)
        ? config
        : settingsOf(config, label ?? excerpt(`#${config.channelName}`, MAX_LABEL_LENGTH), events)
    },
    change(current, input) {
      for (const field of ['url', 'headers'] as const)
        if (input[field] !== undefined) return refuseField(field, 'is not a field of a Slack channel')
      const settings = settingsOf(current.config, input.label ?? current.label, input.events ?? current.events)
      return isRefusal(settings) ? settings : { settings, cancelsUnsent: false }
    },
    newSecret: () => null,
  }
}

/**
 * Names and addresses lead to channels at Slack too, and ids of people to their direct messages; only the id of a
 * channel is what callers were shown in the list.
 */
function checkDestination(
  teamId: string,
  channelId: string,
  channelName: string,
): SlackDestination | Refusal<'validation_error'> {
  if (!/^[CG][A-Z0-9]{1,30}$/.test(channelId)) return refuseField('channelId', 'must be the id of a channel, as listed')
  const name = cleanLine(channelName).replace(/^#+\s*/, '')
  return name === '' ? refuseField('channelName', 'must not be empty') : { teamId, channelId, channelName: name }
}

function settingsOf(
  config: SlackDestination,
  label: string,
  names: readonly string[],
): ChannelSettings<SlackDestination> | Refusal<'validation_error'> {
  const checked = checkLabel(label)
  if (isRefusal(checked)) return checked
  const events = checkEvents('slack', names)
  return isRefusal(events) ? events : { label: checked, config, events }
}
