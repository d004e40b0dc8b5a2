import { useQuery } from '@tanstack/react-query'
import { listViews } from '../api/views.ts'
import { Button, LinkButton } from '../kit/button.tsx'
import { FilterBar } from './filter-bar.tsx'
import { printFilter } from './filter-params.ts'
import styles from './inbox-top.module.css'
import type { InboxAddress } from './use-inbox-address.ts'
import { words } from './words.ts'

/** The filter and what can be made of it. */
export function InboxTop({ address, onSave }: { address: InboxAddress; onSave: () => void }) {
  const { filter, sort, viewId, show } = address
  const { data } = useQuery({ queryKey: ['views'], queryFn: ({ signal }) => listViews(signal) })
  const view = data?.data.find(({ id }) => id === viewId)
  const exported = printFilter(filter)
  exported.set('sort', sort)
  if (viewId !== null) exported.set('viewId', viewId)
  return (
    <header className={styles.top}>
      {view !== undefined && <b className={styles.view}>{view.name}</b>}
      <FilterBar filter={filter} onChange={(changed) => show(changed)} />
      <div className={styles.actions}>
        <Button onClick={onSave}>{words.saveView}</Button>
        {view?.feedUrl != null && <LinkButton href={view.feedUrl}>{words.feed}</LinkButton>}
        <LinkButton href={`/v1/mentions/export.csv?${exported}`} download>
          {words.exportCsv}
        </LinkButton>
      </div>
    </header>
  )
}
