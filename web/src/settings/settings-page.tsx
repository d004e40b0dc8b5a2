import { PartedPage } from '../app/parted-page.tsx'
import { AppsTab } from './apps-tab.tsx'
import { CompanyTab } from './company-tab.tsx'
import { FiltersTab } from './filters-tab.tsx'
import { GroupsTab } from './groups-tab.tsx'
import { KeysTab } from './keys-tab.tsx'
import { LogTab } from './log-tab.tsx'
import { PreferencesTab } from './preferences-tab.tsx'
import { SuppressionsTab } from './suppressions-tab.tsx'
import { TeamTab } from './team-tab.tsx'
import { words } from './words.ts'

const PARTS = {
  company: CompanyTab,
  filters: FiltersTab,
  groups: GroupsTab,
  'api-keys': KeysTab,
  team: TeamTab,
  apps: AppsTab,
  suppressions: SuppressionsTab,
  preferences: PreferencesTab,
  log: LogTab,
}

export default function SettingsPage({ params }: { params: Readonly<Record<string, string>> }) {
  return (
    <PartedPage
      title={words.title}
      home="/settings"
      parts={PARTS}
      labels={words.tabs}
      label={words.tabsLabel}
      part={params['tab']}
    />
  )
}
