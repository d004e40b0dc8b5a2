import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import { useLocation } from 'wouter'
import panel from '../../kit/floating/panel.module.css'
import { Kbd } from '../../kit/kbd.tsx'
import { dispatcher } from '../keys.ts'
import type { Entry, EntryList } from './entries.ts'
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
            <Autocomplete.Root
              open
              inline
              items={lists}
              filteredItems={lists}
              value={query}
              onValueChange={setQuery}
              itemToStringValue={(entry: Entry) => entry.label}
              mode="none"
              autoHighlight="always"
              keepHighlight
            >
              <Autocomplete.Input className={styles.field} placeholder={words.field} aria-label={words.title} />
              <Autocomplete.Empty className={styles.empty}>{lists.length === 0 && words.nothing}</Autocomplete.Empty>
              <Autocomplete.List className={styles.list}>
                {(list: EntryList) => <Group key={list.value} list={list} onChoose={choose} />}
              </Autocomplete.List>
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Group({ list: { value, items }, onChoose }: { list: EntryList; onChoose: (entry: Entry) => void }) {
  return (
    <Autocomplete.Group items={items} className={styles.group}>
      <Autocomplete.GroupLabel className={styles.heading}>{words.groups[value]}</Autocomplete.GroupLabel>
      <Autocomplete.Collection>
        {(entry: Entry) => (
          <Autocomplete.Item
            key={'action' in entry.does ? entry.does.action : entry.does.href}
            value={entry}
            className={styles.entry}
            onClick={() => onChoose(entry)}
          >
            <bdi className={styles.label}>{entry.label}</bdi>
            {entry.keys !== undefined && <Kbd keys={entry.keys} hidden />}
          </Autocomplete.Item>
        )}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  )
}
