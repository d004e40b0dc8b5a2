import { lazy, type ReactNode, Suspense } from 'react'
import { type Openness, type Trigger, useAnchored } from './floating/anchored.ts'
import { loadPopoverPopup } from './floating/load.ts'
import { useWasOpen } from './floating/use-was-open.ts'

const PopoverPopup = lazy(async () => ({ default: (await loadPopoverPopup()).PopoverPopup }))

interface PopoverProps extends Openness {
  trigger: Trigger
  /** The name of the popup, for screen readers. */
  label: string
  /** The function form is for contents that close the popup. */
  children: ReactNode | ((close: () => void) => ReactNode)
}

export function Popover({ trigger, label, children, ...openness }: PopoverProps) {
  const { element, ...anchored } = useAnchored(trigger, 'dialog', openness)
  const wasOpen = useWasOpen(anchored.open)
  return (
    <>
      {element}
      {wasOpen && (
        <Suspense fallback={null}>
          <PopoverPopup {...anchored} label={label}>
            {typeof children === 'function' ? children(() => anchored.setOpen(false)) : children}
          </PopoverPopup>
        </Suspense>
      )}
    </>
  )
}
