import { type ReactNode, useId } from 'react'
import styles from './card.module.css'

interface CardProps {
  title?: string | undefined
  /** Stands opposite the title: a figure, a hint, a button. */
  aside?: ReactNode
  children: ReactNode
}

export function Card({ title, aside, children }: CardProps) {
  const id = useId()
  const hasHead = title !== undefined || aside !== undefined
  return (
    <section className={styles.card} aria-labelledby={title === undefined ? undefined : id}>
      {hasHead && (
        <header className={styles.head}>
          {title !== undefined && <h2 id={id}>{title}</h2>}
          {aside !== undefined && <div className={styles.aside}>{aside}</div>}
        </header>
      )}
      {children}
    </section>
  )
}
