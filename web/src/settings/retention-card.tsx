import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { updateRetention, type Workspace } from '../api/workspace.ts'
import { DeleteDialog } from '../app/delete-dialog.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { RequestFailure } from '../app/request-failure.tsx'
import { useMay } from '../app/use-may.ts'
import { WORKSPACE_QUERY } from '../app/workspace-queries.ts'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Field, TextInput } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import styles from './settings.module.css'
import { words } from './words.ts'

type Retention = Workspace['retention']

/** How long mentions and deliveries are kept; owners choose shorter periods than the installation's. */
export function RetentionCard() {
  const workspace = useQuery(WORKSPACE_QUERY)
  const may = useMay()
  return (
    <Card title={words.retention}>
      <QueryPanel query={workspace} lines={3} height={48}>
        {({ retention }) =>
          may.own ? <Periods key={JSON.stringify(retention)} retention={retention} /> : <Shown retention={retention} />
        }
      </QueryPanel>
    </Card>
  )
}

function Shown({ retention: { mentions, deliveries } }: { retention: Retention }) {
  return (
    <>
      <p className={styles.hint}>{words.mentionsKept(mentions.days)}</p>
      <p className={styles.hint}>{words.deliveriesKept(deliveries.days)}</p>
      <p className={styles.small}>{words.whoSetsRetention}</p>
    </>
  )
}

function Periods({ retention: { mentions, deliveries } }: { retention: Retention }) {
  const [draft, setDraft] = useState({ mentions: textOf(mentions.ownDays), deliveries: textOf(deliveries.ownDays) })
  const [asking, setAsking] = useState(false)
  const change = useChange(() => setAsking(false))
  const wanted = { mentionDays: daysOf(draft.mentions), deliveryDays: daysOf(draft.deliveries) }
  const removes =
    isShorter(wanted.mentionDays ?? mentions.longestDays, mentions.days) ||
    isShorter(wanted.deliveryDays ?? deliveries.longestDays, deliveries.days)
  const save = { ...change, mutate: () => change.mutate(wanted) }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (removes) setAsking(true)
    else save.mutate()
  }
  return (
    <Form onSubmit={submit}>
      <DaysField
        label={words.mentionDays}
        longest={mentions.longestDays}
        least={30}
        value={draft.mentions}
        onChange={(text) => setDraft({ ...draft, mentions: text })}
      />
      <DaysField
        label={words.deliveryDays}
        longest={deliveries.longestDays}
        least={7}
        value={draft.deliveries}
        onChange={(text) => setDraft({ ...draft, deliveries: text })}
      />
      <div className={styles.line}>
        <Button type="submit" busy={change.isPending}>
          {words.save}
        </Button>
      </div>
      {change.error !== null && !asking && <RequestFailure error={change.error} />}
      <DeleteDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={words.shortenRetention}
        text={words.shortenHint}
        label={words.shortenRetention}
        deletion={save}
      />
    </Form>
  )
}

interface DaysFieldProps {
  label: string
  /** Null without a limit of the installation. */
  longest: number | null
  least: number
  value: string
  onChange: (text: string) => void
}

function DaysField({ label, longest, least, value, onChange }: DaysFieldProps) {
  return (
    <Field label={label} hint={words.daysHint(longest)}>
      <TextInput
        type="number"
        min={least}
        max={longest ?? 3650}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  )
}

function useChange(onSaved: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: updateRetention,
    onSuccess: (workspace) => {
      client.setQueryData(WORKSPACE_QUERY.queryKey, workspace)
      onSaved()
    },
  })
}

function textOf(days: number | null): string {
  return days === null ? '' : String(days)
}

function daysOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}

/** Null keeps everything. */
function isShorter(wanted: number | null, present: number | null): boolean {
  return wanted !== null && (present === null || wanted < present)
}
