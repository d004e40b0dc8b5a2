import { useLocation } from 'wouter'
import { TabLinks } from '../kit/tabs.tsx'
import styles from './people.module.css'
import { words } from './words.ts'

/** People and their segments. */
export function PeopleTabs({ current }: { current: keyof typeof words.tabs }) {
  const [, navigate] = useLocation()
  const names = ['people', 'segments'] as const
  return (
    <div className={styles.tabs}>
      <TabLinks
        label={words.tabsLabel}
        tabs={names.map((name) => ({ href: `/${name}`, label: words.tabs[name], current: name === current }))}
        onNavigate={navigate}
      />
    </div>
  )
}
