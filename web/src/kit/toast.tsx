import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { Cross } from './icons.tsx'
import styles from './toast.module.css'
import { dismissToast, type Toast, useToasts } from './toast-store.ts'
import { toneClass } from './tone.ts'
import { words } from './words.ts'

export { showToast } from './toast-store.ts'

const SHOWN_MS = 10_000

/** Stands once in the frame of the application; screen readers read what appears in it. */
export function ToastRegion() {
  const toasts = useToasts()
  return (
    <div role="status" className={styles.region}>
      {toasts.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastLine({ toast }: { toast: Toast }) {
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  const held = hovered || focused
  useEffect(() => {
    if (held) return
    const timer = setTimeout(dismissToast, SHOWN_MS, toast.id)
    return () => clearTimeout(timer)
  }, [held, toast.id])
  const { text, action, tone = 'neutral' } = toast
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only keep the toast on the screen
    <div
      className={clsx(styles.toast, toneClass(tone))}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <span className={styles.text}>{text}</span>
      {action && (
        <Button
          size="small"
          keys={action.keys}
          onClick={() => {
            dismissToast(toast.id)
            action.onPress()
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton size="small" label={words.dismiss} icon={<Cross />} onClick={() => dismissToast(toast.id)} />
    </div>
  )
}
