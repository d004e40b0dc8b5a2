import { type AccountEvent, subscribableEvents } from '../domain/attention/account-events.ts'
import type { ChannelKind } from '../domain/channel/channel-kind.ts'
import { type Refusal, refuseField } from '../domain/refusal/refusal.ts'
import { cleanLine, excerpt } from '../kernel/text.ts'

export const MAX_LABEL_LENGTH = 100

/** One line of 1 to 100 characters. */
export function checkLabel(text: string): string | Refusal<'validation_error'> {
  const label = cleanLine(text)
  const fits = label !== '' && [...label].length <= MAX_LABEL_LENGTH
  return fits ? label : refuseField('label', `must have 1 to ${MAX_LABEL_LENGTH} characters`)
}

export function checkEvents(kind: ChannelKind, names: readonly string[]): AccountEvent[] | Refusal<'validation_error'> {
  const known = new Map<string, AccountEvent>(subscribableEvents(kind).map((name) => [name, name]))
  const events = new Set<AccountEvent>()
  for (const name of names) {
    const event = known.get(name)
    if (event === undefined)
      return refuseField(
        'events',
        `${JSON.stringify(excerpt(cleanLine(name), 60))} is none of ${[...known.keys()].join(', ')}`,
      )
    events.add(event)
  }
  return [...events]
}
