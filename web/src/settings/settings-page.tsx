import type { ComponentType } from 'react'
import { useLocation } from 'wouter'
import { Page } from '../app/page.tsx'
import { TabLinks } from '../kit/tabs.tsx'
import { AppsTab } from './apps-tab.tsx'
import { CompanyTab } from './company-tab.tsx'
import { FiltersTab } from './filters-tab.tsx'
import { GroupsTab } from './groups-tab.tsx'
import { KeysTab } from './keys-tab.tsx'
import { LogTab } from './log-tab.tsx'
import { PreferencesTab } from './preferences-tab.tsx'
import styles from './settings.module.css'
import { TeamTab } from './team-tab.tsx'
import { words } from './words.ts'

const TABS: Readonly<Record<keyof typeof words.tabs, ComponentType>> = {
  company: CompanyTab,
  filters: FiltersTab,
  groups: GroupsTab,
  'api-keys': KeysTab,
  team: TeamTab,
  apps: AppsTab,
  preferences: PreferencesTab,
  log: LogTab,
}
const TAB_NAMES = Object.keys(TABS) as (keyof typeof TABS)[]

export default function SettingsPage({ params }: { params: Readonly<Record<string, string>> }) {
  const [, navigate] = useLocation()
  const current = TAB_NAMES.find((name) => name === params['tab']) ?? 'company'
  const Tab = TABS[current]
  const tabs = TAB_NAMES.map((name) => ({
    href: name === 'company' ? '/settings' : `/settings/${name}`,
    label: words.tabs[name],
    current: name === current,
  }))
  return (
    <Page title={words.title}>
      <div className={styles.tabs}>
        <TabLinks label={words.tabsLabel} tabs={tabs} onNavigate={navigate} />
      </div>
      <Tab />
    </Page>
  )
}
