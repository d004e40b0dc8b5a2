import { useEffect, useRef } from 'react'
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
  const nav = useRef<HTMLElement>(null)
  const current = tabs.find((tab) => tab.current)?.href
  useEffect(() => showTab(nav.current, current), [current])
  return (
    <nav ref={nav} className={styles.tabs} aria-label={label}>
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

/** Room to the left, so that the tab before is seen to exist. */
const LEAD = 48

/** Many tabs scroll sideways on a phone. */
function showTab(nav: HTMLElement | null, href: string | undefined): void {
  const tab = href === undefined ? null : nav?.querySelector<HTMLElement>('[aria-current]')
  if (nav && tab) nav.scrollLeft = tab.offsetLeft - nav.offsetLeft - LEAD
}

function TabCount({ value }: { value: number }) {
  return (
    <span className={styles.count}>
      <Count value={value} />
    </span>
  )
}
