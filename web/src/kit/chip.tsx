import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import styles from './chip.module.css'
import { Cross } from './icons.tsx'
import { type Tone, toneClass } from './tone.ts'
import { words } from './words.ts'

interface ChipProps {
  children: ReactNode
  onRemove?: (() => void) | undefined
  removeLabel?: string | undefined
  /** For a condition that is not kept, such as a filter that a saved view cannot hold. */
  dashed?: boolean | undefined
  tone?: Tone | undefined
}

export function Chip({ children, onRemove, removeLabel = words.remove(''), dashed, tone = 'neutral' }: ChipProps) {
  return (
    <span className={clsx(styles.chip, toneClass(tone), tone !== 'neutral' && styles.toned, dashed && styles.dashed)}>
      <span className={styles.text}>{children}</span>
      {onRemove && (
        <button type="button" className={styles.remove} aria-label={removeLabel} title={removeLabel} onClick={onRemove}>
          <Cross />
        </button>
      )}
    </span>
  )
}
