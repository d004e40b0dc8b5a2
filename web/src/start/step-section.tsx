import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Check } from '../kit/icons.tsx'
import { VisuallyHidden } from '../kit/visually-hidden.tsx'
import styles from './step-section.module.css'
import { STEP_NAMES, type StepName, type StepState } from './steps.ts'
import { words } from './words.ts'

interface StepSectionProps {
  name: StepName
  state: StepState
  /** What was reached, in one line. */
  summary?: ReactNode
  /** Opposite the summary: a link, or a button that opens the step again. */
  actions?: ReactNode
  children?: ReactNode
}

export function headingId(name: StepName): string {
  return `start-${name}`
}

/** A step of the page. A finished step is one line, and what the visit brought about. */
export function StepSection({ name, state, summary, actions, children }: StepSectionProps) {
  const isDone = state === 'done'
  return (
    <li className={clsx(styles.step, styles[state])}>
      <span className={styles.mark} aria-hidden="true">
        {isDone ? <Check /> : STEP_NAMES.indexOf(name) + 1}
      </span>
      <section className={styles.content} aria-labelledby={headingId(name)}>
        <div className={styles.line}>
          <h2 id={headingId(name)} tabIndex={-1} className={styles.title}>
            {words.titles[name]}
            <VisuallyHidden>{` (${words.states[state]})`}</VisuallyHidden>
          </h2>
          {isDone && summary !== undefined && <p className={styles.summary}>{summary}</p>}
          {isDone && actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </div>
        {state !== 'ahead' && children}
      </section>
    </li>
  )
}
