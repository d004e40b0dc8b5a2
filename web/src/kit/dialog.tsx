import { lazy, Suspense } from 'react'
import { loadPanel } from './floating/load.ts'
import type { PanelProps } from './floating/panel.tsx'
import { useWasOpen } from './floating/use-was-open.ts'

const Panel = lazy(async () => ({ default: (await loadPanel()).Panel }))

/** A question or a short form. The focus goes to the first control and returns afterwards. */
export function Dialog(props: PanelProps) {
  if (!useWasOpen(props.open)) return null
  return (
    <Suspense fallback={null}>
      <Panel {...props} />
    </Suspense>
  )
}
