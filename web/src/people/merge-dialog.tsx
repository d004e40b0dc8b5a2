import { useState } from 'react'
import type { Person } from '../api/people.ts'
import { authorName } from '../app/post/author-name.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { RequestFailure } from '../app/request-failure.tsx'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Field, TextInput } from '../kit/field.tsx'
import { useMerge } from './merging.ts'
import styles from './people.module.css'
import { PersonName } from './person-cells.tsx'
import { usePeople } from './use-people.ts'
import { words } from './words.ts'

interface MergeDialogProps {
  person: Person
  open: boolean
  onClose: () => void
}

/** Looks for the other person, and says what a merge does before it is done. */
export function MergeDialog({ person, open, onClose }: MergeDialogProps) {
  const name = authorName(person)
  return (
    <Dialog open={open} onClose={onClose} title={words.mergeTitle(name)}>
      {open && <Choice person={person} name={name} onClose={onClose} />}
    </Dialog>
  )
}

const SHOWN = 6

function Choice({ person, name, onClose }: { person: Person; name: string; onClose: () => void }) {
  const [typed, setTyped] = useState(person.name ?? '')
  const q = typed.trim()
  const people = usePeople({ ...(q === '' ? {} : { q }), limit: SHOWN + 1 })
  const merge = useMerge(person)
  return (
    <div className={styles.stack}>
      <p>{words.mergeHint(name)}</p>
      <Field label={words.mergeSearch}>
        <TextInput type="search" maxLength={200} value={typed} onChange={({ target }) => setTyped(target.value)} />
      </Field>
      <QueryPanel query={people} lines={3} height={44}>
        {({ data }) => {
          const others = data.filter(({ id }) => id !== person.id).slice(0, SHOWN)
          if (others.length === 0) return <p>{words.mergeNone}</p>
          return (
            <ul className={styles.rows}>
              {others.map((other) => (
                <li key={other.id} className={styles.row}>
                  <PersonName person={other} />
                  <Button
                    size="small"
                    variant="primary"
                    aria-label={words.mergeThis(authorName(other))}
                    busy={merge.isPending && merge.variables.id === other.id}
                    disabled={merge.isPending && merge.variables.id !== other.id}
                    onClick={() => merge.mutate(other, { onSuccess: onClose })}
                  >
                    {words.mergeShort}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }}
      </QueryPanel>
      {merge.error !== null && <RequestFailure error={merge.error} />}
    </div>
  )
}
