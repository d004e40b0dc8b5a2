import { type FormEvent, useState } from 'react'
import type { Alert } from '../api/alerts.ts'
import { ApiError } from '../api/errors.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Chip } from '../kit/chip.tsx'
import { Field, TextInput } from '../kit/field.tsx'
import styles from './alerts.module.css'
import { useAuthorMute } from './use-alert.ts'
import { words } from './words.ts'

/** Authors whose mentions the rule does not send. */
export function AuthorsCard({ alert }: { alert: Alert }) {
  const [author, setAuthor] = useState('')
  const { muting, unmuting } = useAuthorMute(alert)
  const authors = alert.filter.excludeAuthors ?? []
  const reason = muting.error instanceof ApiError ? [...muting.error.fields.values()][0] : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (author.trim() === '' || muting.isPending) return
    muting.mutate(author.trim(), { onSuccess: () => setAuthor('') })
  }
  return (
    <Card title={words.authors}>
      <div className={styles.stack}>
        <p className={styles.quiet}>{authors.length === 0 ? words.authorsNone : words.authorsHint}</p>
        {authors.length > 0 && (
          <ul className={styles.chips} aria-label={words.authors}>
            {authors.map((muted) => (
              <li key={muted}>
                <Chip removeLabel={words.unmute(muted)} onRemove={() => unmuting.mutate(muted)}>
                  <bdi>{muted}</bdi>
                </Chip>
              </li>
            ))}
          </ul>
        )}
        <form className={styles.author} onSubmit={submit} noValidate>
          <Field label={words.author} error={reason}>
            <TextInput value={author} maxLength={500} dir="auto" onChange={(event) => setAuthor(event.target.value)} />
          </Field>
          <Button type="submit" busy={muting.isPending} disabled={author.trim() === ''}>
            {words.muteAuthor}
          </Button>
        </form>
        {muting.error !== null && reason === undefined && <RequestFailure error={muting.error} />}
      </div>
    </Card>
  )
}
