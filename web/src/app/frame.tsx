import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { firstLoad } from './first-load.ts'
import styles from './frame.module.css'
import { useKeys } from './keys.ts'
import { NoticeBar } from './notice-bar.tsx'
import { SideBar } from './side-bar.tsx'
import { TabBar } from './tab-bar.tsx'
import { undoLast } from './undo.ts'
import { words } from './words.ts'

const KeyHelp = lazy(async () => ({ default: (await import('./key-help.tsx')).KeyHelp }))
const RequestPanel = lazy(async () => ({ default: (await import('./request-panel.tsx')).RequestPanel }))

type Panel = 'keys' | 'requests' | null

/** Places, notices and panels around every page. */
export function Frame({ children }: { children: ReactNode }) {
  const [, navigate] = useLocation()
  const [panel, setPanel] = useState<Panel>(null)
  const client = useQueryClient()
  // Effects of the page run before this one.
  useEffect(() => firstLoad.begin(client), [client])
  const [folded, setFolded] = useState(() => localStorage.getItem(FOLDED) === 'yes')
  const toggle = (wanted: Panel) => setPanel((shown) => (shown === wanted ? null : wanted))
  const fold = () => {
    localStorage.setItem(FOLDED, folded ? 'no' : 'yes')
    setFolded(!folded)
  }
  useKeys({
    help: () => toggle('keys'),
    requests: () => toggle('requests'),
    sideBar: fold,
    undo: undoLast,
    goInbox: () => navigate('/inbox'),
    goSearch: () => navigate('/search'),
    goKeywords: () => navigate('/keywords'),
    goAnalytics: () => navigate('/analytics'),
    goRules: () => navigate('/alerts'),
    goChannels: () => navigate('/channels'),
    goDeliveries: () => navigate('/deliveries'),
    goStart: () => navigate('/start'),
    goSources: () => navigate('/sources'),
    goAttention: () => navigate('/attention'),
  })
  return (
    <div className={styles.frame} data-folded={folded || undefined}>
      <a className={styles.skip} href="#content">
        {words.skip}
      </a>
      <SideBar onKeys={() => toggle('keys')} onRequests={() => toggle('requests')} onFold={fold} />
      <div className={styles.page} id="content" tabIndex={-1}>
        <NoticeBar />
        {children}
      </div>
      <TabBar />
      <Suspense>
        {panel === 'keys' && <KeyHelp onClose={() => setPanel(null)} />}
        {panel === 'requests' && <RequestPanel onClose={() => setPanel(null)} />}
      </Suspense>
    </div>
  )
}

const FOLDED = 'earshot-side-bar-folded'
