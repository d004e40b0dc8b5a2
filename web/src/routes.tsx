import { type ComponentType, lazy } from 'react'
import InboxPage from './mentions/inbox-page.tsx'

export interface PageParams {
  params: Readonly<Record<string, string>>
}

type Loaded = Promise<{ default: ComponentType<PageParams> }>

/**
 * Each page by the pattern of its address. The server serves the same list. The inbox comes with the frame, because
 * most visits begin there.
 */
export const ROUTES: readonly (readonly [pattern: string, page: ComponentType<PageParams>])[] = [
  ['/start', lazy((): Loaded => import('./start/start-page.tsx'))],
  ['/inbox', InboxPage],
  ['/inbox/:view', InboxPage],
  ['/mentions/:mention', lazy((): Loaded => import('./mentions/mention-page.tsx'))],
  ['/search', lazy((): Loaded => import('./search/search-page.tsx'))],
  ['/keywords', lazy((): Loaded => import('./keywords/keywords-page.tsx'))],
  ['/keywords/:keyword', lazy((): Loaded => import('./keywords/keyword-page.tsx'))],
  ['/keywords/:keyword/:tab', lazy((): Loaded => import('./keywords/keyword-page.tsx'))],
  ['/analytics', lazy((): Loaded => import('./analytics/analytics-page.tsx'))],
  ['/analytics/:tab', lazy((): Loaded => import('./analytics/analytics-page.tsx'))],
  ['/people', lazy((): Loaded => import('./people/people-page.tsx'))],
  ['/people/:person', lazy((): Loaded => import('./people/person-page.tsx'))],
  ['/segments', lazy((): Loaded => import('./people/segments-page.tsx'))],
  ['/segments/:segment', lazy((): Loaded => import('./people/segment-page.tsx'))],
  ['/alerts', lazy((): Loaded => import('./alerts/alerts-page.tsx'))],
  ['/alerts/new', lazy((): Loaded => import('./alerts/alert-page.tsx'))],
  ['/alerts/:alert', lazy((): Loaded => import('./alerts/alert-page.tsx'))],
  ['/channels', lazy((): Loaded => import('./channels/channels-page.tsx'))],
  ['/channels/new', lazy((): Loaded => import('./channels/new-channel-page.tsx'))],
  ['/channels/:channel', lazy((): Loaded => import('./channels/channel-page.tsx'))],
  ['/deliveries', lazy((): Loaded => import('./deliveries/deliveries-page.tsx'))],
  ['/deliveries/:delivery', lazy((): Loaded => import('./deliveries/delivery-page.tsx'))],
  ['/attention', lazy((): Loaded => import('./attention/attention-page.tsx'))],
  ['/billing', lazy((): Loaded => import('./billing/billing-page.tsx'))],
  ['/billing/:tab', lazy((): Loaded => import('./billing/billing-page.tsx'))],
  ['/settings', lazy((): Loaded => import('./settings/settings-page.tsx'))],
  ['/settings/:tab', lazy((): Loaded => import('./settings/settings-page.tsx'))],
  ['/developers', lazy((): Loaded => import('./developers/developers-page.tsx'))],
  ['/sources', lazy((): Loaded => import('./sources/sources-page.tsx'))],
]
