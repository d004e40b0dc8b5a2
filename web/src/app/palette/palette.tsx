import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import { useLocation } from 'wouter'
import panel from '../../kit/floating/panel.module.css'
import { Kbd } from '../../kit/kbd.tsx'
import { SearchList } from '../../kit/search-list.tsx'
import { dispatcher } from '../keys.ts'
import type { Entry } from './entries.ts'
import styles from './palette.module.css'
import { useEntries } from './use-entries.ts'
import { words } from './words.ts'

/** One box that finds places, things and actions. Actions act on what the page shows, and on its selection. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation()
  const [query, setQuery] = useState('')
  const lists = useEntries(query)
  const choose = ({ does }: Entry) => {
    onClose()
    // The focus goes back to the page first, because actions may take it.
    setTimeout(() => ('action' in does ? dispatcher.act(does.action) : navigate(does.href)))
  }
  return (
    <Dialog.Root open onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={panel.backdrop} />
        <Dialog.Viewport className={styles.viewport}>
          <Dialog.Popup className={styles.palette} aria-label={words.title}>
            <SearchList
              label={words.title}
              placeholder={words.field}
              nothing={words.nothing}
              query={query}
              onQuery={setQuery}
              groups={lists.map(({ value, items }) => ({ id: value, label: words.groups[value], items }))}
              keyOf={({ does }) => ('action' in does ? does.action : does.href)}
              render={(entry) => <EntryLine entry={entry} />}
              onChoose={choose}
            />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function EntryLine({ entry: { label, keys } }: { entry: Entry }) {
  return (
    <>
      <bdi className={styles.label}>{label}</bdi>
      {keys !== undefined && <Kbd keys={keys} hidden />}
    </>
  )
}
