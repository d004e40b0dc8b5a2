import { Count } from './count.tsx'
import { followBy, type Navigate } from './follow.ts'
import styles from './tabs.module.css'

interface Tab {
  href: string
  label: string
  count?: number | undefined
  current?: boolean | undefined
}

interface TabLinksProps {
  tabs: readonly Tab[]
  label: string
  onNavigate?: Navigate | undefined
}

/** Tabs that are pages: each has its address. */
export function TabLinks({ tabs, label, onNavigate }: TabLinksProps) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map((tab) => (
        <a
          key={tab.href}
          href={tab.href}
          className={styles.tab}
          aria-current={tab.current ? 'page' : undefined}
          onClick={followBy(onNavigate)}
        >
          {tab.label}
          {tab.count !== undefined && <TabCount value={tab.count} />}
        </a>
      ))}
    </nav>
  )
}

function TabCount({ value }: { value: number }) {
  return (
    <span className={styles.count}>
      <Count value={value} />
    </span>
  )
}
