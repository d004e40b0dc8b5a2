import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import styles from './figure-card.module.css'
import { type Tone, toneClass } from './tone.ts'

const SIGNS = { up: '▲', down: '▼', same: '■' }

interface Change {
  direction: keyof typeof SIGNS
  text: string
  /** Whether the change is good or bad. */
  tone?: Tone | undefined
}

interface FigureCardProps {
  label: string
  value: ReactNode
  change?: Change | undefined
  note?: ReactNode
}

export function FigureCard({ label, value, change, note }: FigureCardProps) {
  return (
    <dl className={styles.card}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{value}</dd>
      {(change || note) && (
        <dd className={styles.foot}>
          {change && (
            <span className={clsx(styles.change, toneClass(change.tone ?? 'neutral'))}>
              <span aria-hidden="true">{SIGNS[change.direction]}</span> {change.text}
            </span>
          )}
          {note && <span>{note}</span>}
        </dd>
      )}
    </dl>
  )
}
