import { lazy, Suspense } from 'react'
import { loadPanel } from './floating/load.ts'
import type { PanelProps } from './floating/panel.tsx'
import { useWasOpen } from './floating/use-was-open.ts'

const Panel = lazy(async () => ({ default: (await loadPanel()).Panel }))

/** Details beside a list. A press outside closes the drawer. */
export function Drawer(props: PanelProps) {
  if (!useWasOpen(props.open)) return null
  return (
    <Suspense fallback={null}>
      <Panel {...props} place="side" />
    </Suspense>
  )
}
