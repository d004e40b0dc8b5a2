import { type ReactNode, useEffect } from 'react'
import styles from './page.module.css'
import { words } from './words.ts'

interface PageProps {
  title: string
  /** Beside the title: a state, a hint. */
  beside?: ReactNode
  /** Opposite the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A page that scrolls as a whole, with its title and its actions. */
export function Page({ title, beside, actions, children }: PageProps) {
  useTitle(title)
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <div className={styles.title}>
          <h1 dir="auto">{title}</h1>
          {beside}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </main>
  )
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${words.product}`
  }, [title])
}
