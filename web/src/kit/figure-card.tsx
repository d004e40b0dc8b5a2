import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import styles from './figure-card.module.css'
import { followBy, type Navigate } from './follow.ts'
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
  /** Where the figure leads to. */
  href?: string | null | undefined
  onNavigate?: Navigate | undefined
}

export function FigureCard({ label, value, change, note, href, onNavigate }: FigureCardProps) {
  return (
    <dl className={styles.card}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>
        {href == null ? (
          value
        ) : (
          <a className={styles.link} href={href} onClick={followBy(onNavigate)}>
            {value}
          </a>
        )}
      </dd>
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
