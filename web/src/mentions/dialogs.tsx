import { type FormEvent, type ReactNode, useState } from 'react'
import type { Mention } from '../api/mentions.ts'
import { useDraft } from '../app/kept-drafts.ts'
import { useSession } from '../app/session.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Field, TextArea, TextInput } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { Skeleton } from '../kit/skeleton.tsx'
import { formatExact } from '../kit/time.tsx'
import styles from './dialogs.module.css'
import { type SnoozeChoice, snoozeEnd } from './snooze.ts'
import type { AssignableMember } from './triage.ts'
import { words } from './words.ts'

interface ChoiceProps<Value> {
  onChoose: (value: Value) => void
  onClose: () => void
}

/** Keeps the last choice, which one key repeats. */
const LAST_SNOOZE = 'earshot-last-snooze'

export function lastSnooze(): SnoozeChoice {
  const last = localStorage.getItem(LAST_SNOOZE)
  return last === 'hours' || last === 'monday' ? last : 'tomorrow'
}

export function SnoozeDialog({ onChoose, onClose }: ChoiceProps<Date>) {
  const [other, setOther] = useState('')
  const choose = (choice: SnoozeChoice) => {
    localStorage.setItem(LAST_SNOOZE, choice)
    onChoose(snoozeEnd(choice, new Date()))
  }
  const chooseOther = (event: FormEvent) => {
    event.preventDefault()
    if (other !== '') onChoose(new Date(other))
  }
  return (
    <Dialog open onClose={onClose} title={words.snoozeUntil}>
      <div className={styles.choices}>
        {(['hours', 'tomorrow', 'monday'] as const).map((choice) => (
          <Button key={choice} variant="quiet" onClick={() => choose(choice)}>
            {words.snoozeChoices[choice]} <small>{formatExact(snoozeEnd(choice, new Date()).toISOString())}</small>
          </Button>
        ))}
      </div>
      <Form onSubmit={chooseOther}>
        <Field label={words.snoozeOther}>
          <TextInput type="datetime-local" value={other} onChange={(event) => setOther(event.currentTarget.value)} />
        </Field>
        <Button type="submit" disabled={other === ''}>
          {words.actSnooze}
        </Button>
      </Form>
    </Dialog>
  )
}

interface AssignProps {
  /** Null while they are loaded. */
  members: readonly AssignableMember[] | null
  assigneeId: string | null
  /** What stands in their place when they could not be loaded. */
  children: ReactNode
}

export function AssignDialog({
  members,
  assigneeId,
  onChoose,
  onClose,
  children,
}: ChoiceProps<AssignableMember | null> & AssignProps) {
  const { user } = useSession()
  const mine = members?.find(({ userId }) => userId === user.id)
  const others = members?.filter((member) => member !== mine) ?? []
  const sorted = mine === undefined ? others : [mine, ...others]
  return (
    <Dialog open onClose={onClose} title={words.actAssign}>
      {children}
      {members === null && !children && <Skeleton lines={3} />}
      <div className={styles.choices}>
        {sorted.map((member) => (
          <Button
            key={member.userId}
            variant="quiet"
            aria-pressed={member.userId === assigneeId}
            onClick={() => onChoose(member)}
          >
            {member === mine ? words.me(member.name) : member.name} <small>{member.email}</small>
          </Button>
        ))}
        {assigneeId !== null && (
          <Button variant="quiet" onClick={() => onChoose(null)}>
            {words.nobody}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

/** Characters, as the API allows. */
const NOTE_LIMIT = 2000

export function NoteDialog({ mention, onChoose, onClose }: ChoiceProps<string | null> & { mention: Mention | null }) {
  const [note, setNote] = useDraft(`note ${mention?.id}`, mention?.triage.note ?? '')
  const save = (event: FormEvent) => {
    event.preventDefault()
    onChoose(note.trim() === '' ? null : note.trim())
  }
  return (
    <Dialog open onClose={onClose} title={words.note}>
      <Form onSubmit={save}>
        <Field label={words.note} hint={words.noteHint}>
          <TextArea
            rows={5}
            maxLength={NOTE_LIMIT}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save(event)
            }}
          />
        </Field>
        <Button type="submit" variant="primary">
          {words.save}
        </Button>
      </Form>
    </Dialog>
  )
}
