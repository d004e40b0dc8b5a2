import { DELIVERY_TRANSITIONS, type Trigger } from '../../src/domain/delivery/lifecycle.ts'
import {
  type CapCondition,
  KEYWORD_TRANSITIONS,
  type RunningEvent,
  type Stop,
  type Transition,
} from '../../src/domain/keyword/lifecycle.ts'
import { page, table } from './page.ts'

/** What moves a keyword and a delivery from state to state. */
export function statePages(): [name: string, text: string][] {
  return [
    [
      'states.md',
      page(
        'Running states of a keyword',
        'What happens to a keyword, row by row; where none fits it stays as it is and nobody is told. Events are ' +
          'account events, recorded in the transaction of the change.\n\nA keyword is stopped by one thing at a ' +
          'time, or by nothing. Whether the limit of the month is reached is told apart from that: a keyword that ' +
          'is stopped can be capped too, and is then found capped when it runs again.',
        stateTable(),
      ),
    ],
    [
      'delivery-states.md',
      page(
        'States of a delivery',
        'What happens to a delivery; the first row that fits decides, and where none fits it stays as it is. What ' +
          'the states mean to a receiver, and how long is tried: [delivery](../guides/deliveries.md).',
        deliveryTable(),
      ),
    ],
  ]
}

function stateTable(): string {
  return table(
    ['State', 'Trigger', 'Condition', 'Next state', 'Event'],
    KEYWORD_TRANSITIONS.map((row) => [
      statesOf(row.stops, row.capped),
      TRIGGERS[row.trigger],
      conditionOf(row),
      nextOf(row),
      eventOf(row.event),
    ]),
  )
}

function deliveryTable(): string {
  return table(
    ['State', 'Trigger', 'Condition', 'Next state'],
    DELIVERY_TRANSITIONS.map(({ from, on, to, when, check }) => [
      from.join(', '),
      HAPPENINGS[on],
      when ?? (check ? 'nothing speaks against it' : ''),
      to,
    ]),
  )
}

const HAPPENINGS: Readonly<Record<Trigger['kind'], string>> = {
  accepted: 'the receiver accepts it',
  temporary_failure: 'an attempt fails in a way that may pass',
  permanent_failure: 'an attempt fails for good',
  defer: 'the destination takes no more at this moment; it is tried later, and that is no attempt',
  hold: 'it cannot be sent for now',
  cancel: 'it is no longer wanted',
  room: 'there is room again for what was held for want of it',
  retry: 'somebody asks to go on with it',
  replay: 'somebody asks for its contents once more',
}

const STATES: Readonly<Record<Stop, string>> = {
  nothing: 'running',
  'the caller': 'muted',
  'the balance': 'muted, pausedForBalance',
  noise: 'muted, pausedForNoise',
}

function statesOf(stops: readonly Stop[], capped: boolean | null): string {
  const all = Object.keys(STATES).length
  const isMuted = stops.length === all - 1 && !stops.includes('nothing')
  const some = isMuted ? 'any that is muted' : stops.map((stop) => STATES[stop]).join(' or ')
  const shown = stops.length === all ? 'any' : some
  if (capped === null) return shown
  return `${shown}; ${capped ? 'pausedForCap' : 'not capped'}`
}

function nextOf({ stops, capped, to }: Transition): string {
  return Object.keys(to).length === 0 ? 'stays' : statesOf(to.stop ? [to.stop] : stops, to.capped ?? capped)
}

function conditionOf({ condition }: Transition): string {
  return condition === null ? '' : condition.map((condition) => CONDITIONS[condition]).join(' or ')
}

function eventOf(event: RunningEvent | null): string {
  if (event === null) return 'none'
  return 'reason' in event ? `\`${event.event}\`, reason ${event.reason}` : `\`${event.event}\``
}

const CONDITIONS: Readonly<Record<CapCondition, string>> = {
  'no limit': 'no limit is in force',
  'limit above the count': 'the limit in force is above the count of this month',
  'limit at or below the count': 'the limit in force is at or below the count of this month',
}

const TRIGGERS: Readonly<Record<Transition['trigger'], string>> = {
  mute: 'the caller mutes',
  unmute: 'the caller unmutes, and the balance covers another day',
  rules_changed:
    'the caller changes required or excluded terms, platforms or context, and the balance covers another day',
  noise_found: 'scoring finds mostly noise while the welcome credit pays',
  cap_reached: 'the matches of this month reach the limit',
  cap_changed: 'the caller sets or removes the limit',
  welcome_lifted: 'the first top-up lifts the limit of the welcome credit',
  month_turned: 'a month begins (UTC)',
  balance_short: 'the balance cannot cover the next day, or is used up',
  balance_restored: 'a credit covers a day of all keywords',
}
