import type { Alert, AlertChange, NewAlert, RuleFilter } from '../api/alerts.ts'
import { FILTER_NAMES, type Filter, type FilterParam } from '../app/filter/filter-params.ts'
import type { Schedule } from './schedule.ts'

/** A rule as the editor holds it. */
export interface RuleDraft {
  name: string
  mode: Alert['mode']
  /** Empty for the name of the mode. */
  event: string
  filter: Filter
  /** Groups of conditions, which the filter line does not edit. */
  anyOf: RuleFilter['anyOf']
  schedule: Schedule | null
  channelIds: string[]
}

const NOT_IN_RULES = [
  'q',
  'notKeywordIds',
  'notGroupIds',
  'status',
  'relevant',
  'failed',
  'delivered',
  'unassigned',
  'alertId',
  'personId',
  'includeMuted',
  'assigneeId',
  'snoozed',
  'reviewApp',
  'reviewCountry',
  'reviewVersion',
  'createdSince',
  'createdUntil',
  'since',
  'until',
] as const satisfies readonly FilterParam[]

/** Conditions that a rule cannot hold. */
export const PASSING_IN_RULES: ReadonlySet<FilterParam> = new Set(NOT_IN_RULES)

export function emptyDraft(filter: Filter, channelIds: string[]): RuleDraft {
  return { name: '', mode: 'instant', event: '', filter, anyOf: undefined, schedule: null, channelIds }
}

const EVENT_OF_MODE = { instant: 'mention.matched', hourly: 'digest', daily: 'digest', weekly: 'digest' } as const

export function draftOf({ name, mode, event, filter: { anyOf, ...filter }, schedule, channelIds }: Alert): RuleDraft {
  return {
    ...{ name, mode, schedule, channelIds, anyOf },
    event: event === EVENT_OF_MODE[mode] ? '' : event,
    filter: filter as Filter,
  }
}

/** What is left out because a rule cannot hold it. */
export function droppedIn(filter: Filter): FilterParam[] {
  return FILTER_NAMES.filter((name) => filter[name] !== undefined && PASSING_IN_RULES.has(name))
}

export function filterOf({ filter, anyOf }: Pick<RuleDraft, 'filter' | 'anyOf'>): RuleFilter {
  const kept = FILTER_NAMES.filter((name) => filter[name] !== undefined && !PASSING_IN_RULES.has(name))
  const conditions = Object.fromEntries(kept.map((name) => [name, filter[name]])) as RuleFilter
  return anyOf === undefined ? conditions : { ...conditions, anyOf }
}

/** A list that lost its last entry matches nothing. */
export function matchesNothing({ filter }: Pick<RuleDraft, 'filter'>): boolean {
  return filter.keywordIds?.length === 0 || filter.groupIds?.length === 0
}

export function bodyOf(draft: RuleDraft): NewAlert {
  const { name, mode, event, schedule, channelIds } = draft
  return {
    ...{ name: name.trim(), mode, channelIds, schedule, enabled: true },
    filter: filterOf(draft) as NonNullable<NewAlert['filter']>,
    ...(event.trim() === '' ? {} : { event: event.trim() }),
  }
}

/** What the draft changes; empty if nothing. */
export function changeBetween(former: RuleDraft, draft: RuleDraft): AlertChange {
  const change: AlertChange = {}
  if (draft.name.trim() !== former.name) change.name = draft.name.trim()
  if (draft.event.trim() !== former.event) change.event = draft.event.trim() === '' ? null : draft.event.trim()
  if (!isSame(filterOf(former), filterOf(draft))) change.filter = filterOf(draft) as NonNullable<AlertChange['filter']>
  if (!isSame(former.channelIds.toSorted(), draft.channelIds.toSorted())) change.channelIds = draft.channelIds
  if (draft.mode !== former.mode) change.mode = draft.mode
  if (draft.mode !== former.mode || !isSame(former.schedule, draft.schedule)) change.schedule = draft.schedule
  return change
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

/** The values of a rule that a change replaced. */
export function formerOf(alert: Alert, change: AlertChange): AlertChange {
  const names = Object.keys(change).filter((name) => name !== 'ifVersion') as (keyof Alert & keyof AlertChange)[]
  return Object.fromEntries(names.map((name) => [name, alert[name]]))
}
