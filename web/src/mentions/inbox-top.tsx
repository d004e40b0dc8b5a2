import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { createView, deleteView, type View } from '../api/views.ts'
import { FilterBar } from '../app/filter/filter-bar.tsx'
import { type Filter, printFilter } from '../app/filter/filter-params.ts'
import { offerUndo } from '../app/undo.ts'
import { useViews } from '../app/workspace-queries.ts'
import { Button, LinkButton } from '../kit/button.tsx'
import { followBy } from '../kit/follow.ts'
import { showToast } from '../kit/toast.tsx'
import styles from './inbox-top.module.css'
import type { InboxAddress } from './use-inbox-address.ts'
import { words } from './words.ts'

const EditViewDialog = lazy(async () => ({ default: (await import('./edit-view-dialog.tsx')).EditViewDialog }))

/** The filter and what can be made of it. */
export function InboxTop({ address, onSave }: { address: InboxAddress; onSave: () => void }) {
  const { filter, sort, viewId, show } = address
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const { data } = useViews()
  const [isEditing, setEditing] = useState(false)
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
        {view !== undefined && <Button onClick={() => setEditing(true)}>{words.editView}</Button>}
        {view !== undefined && (
          <Button onClick={() => void removeView(client, view, navigate)}>{words.deleteView}</Button>
        )}
        {viewId === null && (
          <LinkButton href={analyticsHref(filter)} onClick={followBy(navigate)}>
            {words.analytics}
          </LinkButton>
        )}
        <LinkButton href={`/v1/mentions/export.csv?${exported}`} download>
          {words.exportCsv}
        </LinkButton>
        <LinkButton href={`/v1/mentions/export.json?${exported}`} download>
          {words.exportJson}
        </LinkButton>
      </div>
      <Suspense>
        {isEditing && view !== undefined && (
          <EditViewDialog view={view} shown={filter} onClose={() => setEditing(false)} />
        )}
      </Suspense>
    </header>
  )
}

/** Figures of the same mentions. The page of analytics has days of its own. */
function analyticsHref({ since: _, until: __, ...filter }: Filter): string {
  return `/analytics?${printFilter(filter)}`
}

/** The view comes back by undo with another id and another feed. */
async function removeView(client: QueryClient, view: View, navigate: (address: string) => void): Promise<void> {
  const { id, name, description, filter } = view
  const refresh = () => client.invalidateQueries({ queryKey: ['views'] })
  const revert = async () => {
    const made = await createView({ name, description, filter })
    await refresh()
    navigate(`/inbox/${made.id}`)
  }
  try {
    await deleteView(id)
    await refresh()
    navigate('/inbox')
    offerUndo({ text: words.viewDeleted(name), revert })
  } catch (error) {
    showToast({ text: words.notSaved((error as Error).message), tone: 'negative' })
  }
}
