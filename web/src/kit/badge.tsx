import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { type Tone, toneClass } from './tone.ts'

/** A state in a word. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={clsx(styles.badge, toneClass(tone))}>{children}</span>
}
