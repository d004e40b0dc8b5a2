import type { ComponentType } from 'react'
import { useLocation } from 'wouter'
import { Page } from '../app/page.tsx'
import { TabLinks } from '../kit/tabs.tsx'
import styles from './billing.module.css'
import { InvoicesTab } from './invoices-tab.tsx'
import { LedgerTab } from './ledger-tab.tsx'
import { UsageTab } from './usage-tab.tsx'
import { WalletTab } from './wallet-tab.tsx'
import { words } from './words.ts'

const TABS: Readonly<Record<keyof typeof words.tabs, ComponentType>> = {
  overview: WalletTab,
  usage: UsageTab,
  ledger: LedgerTab,
  invoices: InvoicesTab,
}
const TAB_NAMES = Object.keys(TABS) as (keyof typeof TABS)[]

export default function BillingPage({ params }: { params: Readonly<Record<string, string>> }) {
  const [, navigate] = useLocation()
  const current = TAB_NAMES.find((name) => name === params['tab']) ?? 'overview'
  const Tab = TABS[current]
  const tabs = TAB_NAMES.map((name) => ({
    href: name === 'overview' ? '/billing' : `/billing/${name}`,
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
