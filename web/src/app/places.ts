import type { ComponentType } from 'react'
import {
  Alert,
  Bell,
  Channel,
  Chart,
  Code,
  Delivery,
  Inbox,
  Keyword,
  Money,
  Person,
  Rule,
  Search,
  Segment,
  Settings,
  Source,
} from '../kit/icons.tsx'
import { type KeyAction, keyOf } from './key-table.ts'
import { words } from './words.ts'

export interface Place {
  href: string
  label: string
  icon: ComponentType
  /** Leads there. */
  action: KeyAction
  keys: string
}

function place(href: string, label: string, icon: ComponentType, action: KeyAction): Place {
  return { href, label, icon, action, keys: keyOf(action) }
}

export const MAIN_PLACES: readonly Place[] = [
  place('/inbox', words.inbox, Inbox, 'goInbox'),
  place('/search', words.search, Search, 'goSearch'),
  place('/attention', words.attention, Alert, 'goAttention'),
]

export const LISTEN_PLACES: readonly Place[] = [
  place('/keywords', words.keywords, Keyword, 'goKeywords'),
  place('/start', words.start, Bell, 'goStart'),
]

/** What mentions tell together. On a phone these places stand in the menu. */
export const UNDERSTAND_PLACES: readonly Place[] = [
  place('/analytics', words.analytics, Chart, 'goAnalytics'),
  place('/people', words.people, Person, 'goPeople'),
  place('/segments', words.segments, Segment, 'goSegments'),
]

/** What sends mentions on. On a phone these places stand in the menu. */
export const SEND_PLACES: readonly Place[] = [
  place('/alerts', words.rules, Rule, 'goRules'),
  place('/channels', words.channels, Channel, 'goChannels'),
  place('/deliveries', words.deliveries, Delivery, 'goDeliveries'),
]

/** What the workspace runs on. On a phone these places stand in the menu. */
export const WORKSPACE_PLACES: readonly Place[] = [
  place('/sources', words.sources, Source, 'goSources'),
  place('/billing', words.money, Money, 'goMoney'),
  place('/settings', words.settings, Settings, 'goSettings'),
  place('/developers', words.developers, Code, 'goDevelopers'),
]

export const ALL_PLACES: readonly Place[] = [
  ...MAIN_PLACES,
  ...LISTEN_PLACES,
  ...UNDERSTAND_PLACES,
  ...SEND_PLACES,
  ...WORKSPACE_PLACES,
]

export function isAt(place: Place, address: string): boolean {
  return address === place.href || address.startsWith(`${place.href}/`)
}
