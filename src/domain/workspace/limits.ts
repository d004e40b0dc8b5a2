import { VIEW_LIMITS } from '../filter/view.ts'
import { KEYWORD_LIMITS } from '../keyword/keyword.ts'
import { SEGMENT_LIMITS } from '../person/person.ts'

/** Includes the default group. */
export const WORKSPACE_LIMITS = {
  keywords: KEYWORD_LIMITS.perWorkspace,
  groups: 200,
  views: VIEW_LIMITS.perWorkspace,
  segments: SEGMENT_LIMITS.perWorkspace,
  channels: 50,
  alerts: 100,
  apiKeys: 100,
  namedSources: 100,
} as const

export type LimitedThing = 'groups' | 'views' | 'segments' | 'channels' | 'alerts' | 'namedSources'

export const THING_NAMES: Readonly<Record<LimitedThing, string>> = {
  groups: 'groups',
  views: 'views',
  segments: 'segments',
  channels: 'channels',
  alerts: 'alert rules',
  namedSources: 'feeds and forums',
}
