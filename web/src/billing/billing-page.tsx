import { PartedPage } from '../app/parted-page.tsx'
import { InvoicesTab } from './invoices-tab.tsx'
import { LedgerTab } from './ledger-tab.tsx'
import { UsageTab } from './usage-tab.tsx'
import { WalletTab } from './wallet-tab.tsx'
import { words } from './words.ts'

const PARTS = {
  overview: WalletTab,
  usage: UsageTab,
  ledger: LedgerTab,
  invoices: InvoicesTab,
}

export default function BillingPage({ params }: { params: Readonly<Record<string, string>> }) {
  return (
    <PartedPage
      title={words.title}
      home="/billing"
      parts={PARTS}
      labels={words.tabs}
      label={words.tabsLabel}
      part={params['tab']}
    />
  )
}
