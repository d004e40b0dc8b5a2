import { Popover } from '@base-ui/react/popover'
import type { ReactNode } from 'react'
import { type Anchored, isPressOnAnchor } from './anchored.ts'
import styles from './popup.module.css'

interface PopoverPopupProps extends Anchored {
  label: string
  children: ReactNode
}

export function PopoverPopup({ anchor, open, setOpen, label, children }: PopoverPopupProps) {
  return (
    <Popover.Root open={open} onOpenChange={(next, details) => isPressOnAnchor(anchor, details) || setOpen(next)}>
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className={styles.positioner}
        >
          <Popover.Popup aria-label={label} finalFocus={anchor} className={styles.popup}>
            <div className={styles.content}>{children}</div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
