import type { ComponentType } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { FilterBar } from '../app/filter/filter-bar.tsx'
import { FilterChoices } from '../app/filter/filter-choices.tsx'
import type { Filter, FilterParam } from '../app/filter/filter-params.ts'
import { Page } from '../app/page.tsx'
import { TabLinks } from '../kit/tabs.tsx'
import styles from './analytics.module.css'
import { OverviewTab } from './overview-tab.tsx'
import { RangeChoice } from './range-choice.tsx'
import { type ReportQuery, reportHref, reportQueryIn } from './report-query.ts'
import { ReviewsTab } from './reviews-tab.tsx'
import { VoiceTab } from './voice-tab.tsx'
import { words } from './words.ts'

const TABS: Readonly<Record<keyof typeof words.tabs, ComponentType<{ query: ReportQuery }>>> = {
  overview: OverviewTab,
  voice: VoiceTab,
  reviews: ReviewsTab,
}
const TAB_NAMES = Object.keys(TABS) as (keyof typeof TABS)[]
const ALL_KEPT: ReadonlySet<FilterParam> = new Set()

export default function AnalyticsPage({ params }: { params: Readonly<Record<string, string>> }) {
  const [search] = useSearchParams()
  const [, navigate] = useLocation()
  const query = reportQueryIn(search)
  const current = TAB_NAMES.find((name) => name === params['tab']) ?? 'overview'
  const Tab = TABS[current]
  const tabs = TAB_NAMES.map((name) => ({
    href: reportHref(query, pathOf(name)),
    label: words.tabs[name],
    current: name === current,
  }))
  const path = pathOf(current)
  const show = (filter: Filter) => navigate(reportHref({ ...query, filter }, path))
  return (
    <Page title={words.title}>
      <div className={styles.tabs}>
        <TabLinks label={words.tabsLabel} tabs={tabs} onNavigate={navigate} />
      </div>
      <div className={styles.top}>
        <RangeChoice key={`${query.days?.from} ${query.days?.to}`} query={query} path={path} />
        <FilterBar filter={query.filter} onChange={show} passing={ALL_KEPT} placeholder={words.placeholder} />
        <FilterChoices filter={query.filter} onChange={show} />
      </div>
      <Tab query={query} />
    </Page>
  )
}

function pathOf(tab: keyof typeof TABS): string {
  return tab === 'overview' ? '/analytics' : `/analytics/${tab}`
}
