import { Tooltip } from '@base-ui/react/tooltip'
import type { RefObject } from 'react'
import { Kbd } from '../kbd.tsx'
import styles from './popup.module.css'

interface TooltipPopupProps {
  anchor: RefObject<HTMLElement | null>
  open: boolean
  text: string
  keys: string | undefined
  onPointerEnter: () => void
  onPointerLeave: () => void
  onEscape: () => void
}

export function TooltipPopup({
  anchor,
  open,
  text,
  keys,
  onPointerEnter,
  onPointerLeave,
  onEscape,
}: TooltipPopupProps) {
  return (
    <Tooltip.Root open={open} onOpenChange={(next, details) => next || details.reason !== 'escape-key' || onEscape()}>
      <Tooltip.Portal>
        <Tooltip.Positioner anchor={anchor} sideOffset={6} collisionPadding={8} className={styles.positioner}>
          <Tooltip.Popup
            aria-hidden="true"
            className={styles.tooltip}
            onPointerEnter={onPointerEnter}
            onPointerLeave={onPointerLeave}
          >
            {text}
            {keys !== undefined && <Kbd keys={keys} />}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
