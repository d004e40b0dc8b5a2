import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { firstLoad } from './first-load.ts'
import styles from './frame.module.css'
import { useKeys } from './keys.ts'
import { NoticeBar } from './notice-bar.tsx'
import { ALL_PLACES } from './places.ts'
import { SideBar } from './side-bar.tsx'
import { TabBar } from './tab-bar.tsx'
import { undoLast } from './undo.ts'
import { words } from './words.ts'

const KeyHelp = lazy(async () => ({ default: (await import('./key-help.tsx')).KeyHelp }))
const Palette = lazy(async () => ({ default: (await import('./palette/palette.tsx')).Palette }))
const RequestPanel = lazy(async () => ({ default: (await import('./request-panel.tsx')).RequestPanel }))

type Panel = 'keys' | 'requests' | 'palette' | null

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
    palette: () => toggle('palette'),
    ...Object.fromEntries(ALL_PLACES.map((place) => [place.action, () => navigate(place.href)])),
  })
  return (
    <div className={styles.frame} data-folded={folded || undefined}>
      <a className={styles.skip} href="#content">
        {words.skip}
      </a>
      <SideBar
        onPalette={() => toggle('palette')}
        onKeys={() => toggle('keys')}
        onRequests={() => toggle('requests')}
        onFold={fold}
      />
      <div className={styles.page} id="content" tabIndex={-1}>
        <NoticeBar />
        {children}
      </div>
      <TabBar />
      <Suspense>
        {panel === 'keys' && <KeyHelp onClose={() => setPanel(null)} />}
        {panel === 'palette' && <Palette onClose={() => setPanel(null)} />}
        {panel === 'requests' && <RequestPanel onClose={() => setPanel(null)} />}
      </Suspense>
    </div>
  )
}

const FOLDED = 'earshot-side-bar-folded'
