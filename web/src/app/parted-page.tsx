import type { ComponentType } from 'react'
import { useLocation } from 'wouter'
import { TabLinks } from '../kit/tabs.tsx'
import styles from './page.module.css'
import { Page } from './page.tsx'

interface PartedPageProps<Name extends string> {
  title: string
  /** The address of the page and of its first part. Others follow after a slash. */
  home: string
  /** In the order of the tabs. */
  parts: Readonly<Record<Name, ComponentType>>
  labels: Readonly<Record<Name, string>>
  /** Of the row of tabs. */
  label: string
  /** From the address; the first part for anything unknown. */
  part: string | undefined
}

/** A page of which one part is shown at a time, each at an address of its own. */
export function PartedPage<Name extends string>(props: PartedPageProps<Name>) {
  const { title, home, parts, labels, label, part } = props
  const [, navigate] = useLocation()
  const names = Object.keys(parts) as Name[]
  const current = names.find((name) => name === part) ?? names[0]!
  const Part: ComponentType = parts[current]
  const tabs = names.map((name) => ({
    href: name === names[0] ? home : `${home}/${name}`,
    label: labels[name],
    current: name === current,
  }))
  return (
    <Page title={title}>
      <div className={styles.parts}>
        <TabLinks label={label} tabs={tabs} onNavigate={navigate} />
      </div>
      <Part />
    </Page>
  )
}
