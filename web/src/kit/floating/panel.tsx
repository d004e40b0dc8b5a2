import { Dialog } from '@base-ui/react/dialog'
import { clsx } from 'clsx'
import { type ReactNode, useRef } from 'react'
import { IconButton } from '../button.tsx'
import { Cross } from '../icons.tsx'
import { words } from '../words.ts'
import styles from './panel.module.css'

export interface PanelProps {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  actions?: ReactNode
  wide?: boolean | undefined
}

const CONTROL = 'input, select, textarea, button, a[href]'

/** A modal panel, which only its buttons and Escape close. */
export function Panel({ open, onClose, title, children, actions, wide }: PanelProps) {
  const body = useRef<HTMLDivElement>(null)
  const foot = useRef<HTMLElement>(null)
  const firstControl = () =>
    body.current?.querySelector<HTMLElement>(CONTROL) ?? foot.current?.querySelector<HTMLElement>(CONTROL) ?? true
  return (
    <Dialog.Root open={open} disablePointerDismissal onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Viewport className={styles.viewport}>
          <Dialog.Popup className={clsx(styles.panel, wide && styles.wide)} initialFocus={firstControl}>
            <header className={styles.head}>
              <Dialog.Title>{title}</Dialog.Title>
              <Dialog.Close render={<IconButton label={words.close} icon={<Cross />} />} />
            </header>
            <div ref={body} className={styles.body}>
              {children}
            </div>
            {actions && (
              <footer ref={foot} className={styles.foot}>
                {actions}
              </footer>
            )}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
