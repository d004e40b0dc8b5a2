import { type ReactNode, useEffect } from 'react'
import styles from './page.module.css'
import { words } from './words.ts'

interface PageProps {
  title: string
  /** Beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A page that scrolls as a whole, with its title and its actions. */
export function Page({ title, actions, children }: PageProps) {
  useTitle(title)
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <h1>{title}</h1>
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
