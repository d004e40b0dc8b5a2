import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useLocation } from 'wouter'
import type { Alert } from '../api/alerts.ts'
import { ApiError } from '../api/errors.ts'
import { FilterBar } from '../app/filter/filter-bar.tsx'
import { FilterChoices } from '../app/filter/filter-choices.tsx'
import { words as filterWords } from '../app/filter/words.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { StaleNotice } from '../app/stale-notice.tsx'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Notice } from '../kit/notice.tsx'
import { words as kitWords } from '../kit/words.ts'
import styles from './alerts.module.css'
import { AuthorsCard } from './authors-card.tsx'
import { bodyOf, changeBetween, droppedIn, matchesNothing, PASSING_IN_RULES, type RuleDraft } from './draft.ts'
import { PreviewCard } from './preview-card.tsx'
import { RuleFields } from './rule-fields.tsx'
import { useAlertChange, useCreation } from './use-alert.ts'
import { words } from './words.ts'

interface RuleEditorProps {
  /** Null for a rule that does not exist yet. */
  alert: Alert | null
  former: RuleDraft
}

/** What a rule sends and when, and beside it what it would have sent. */
export function RuleEditor({ alert, former }: RuleEditorProps) {
  const [draft, setDraft] = useState(former)
  const formId = useId()
  const change = (part: Partial<RuleDraft>) => setDraft((typed) => ({ ...typed, ...part }))
  return (
    <div className={styles.columns}>
      <div className={styles.stack}>
        <Card title={words.what}>
          <FilterBar
            filter={draft.filter}
            onChange={(filter) => change({ filter })}
            passing={PASSING_IN_RULES}
            passingHint={words.notInRules}
            placeholder={words.placeholder}
          />
          <div className={styles.notes}>
            <FilterChoices filter={draft.filter} onChange={(filter) => change({ filter })} />
          </div>
          <FilterNotes draft={draft} />
        </Card>
        {alert === null ? (
          <NewForm id={formId} draft={draft} change={change} />
        ) : (
          <ChangeForm id={formId} alert={alert} former={former} draft={draft} change={change} />
        )}
      </div>
      <div className={styles.stack}>
        <PreviewCard draft={draft} alert={alert} />
        {alert !== null && <AuthorsCard alert={alert} />}
      </div>
    </div>
  )
}

function FilterNotes({ draft }: { draft: RuleDraft }) {
  const dropped = droppedIn(draft.filter)
  return (
    <div className={styles.notes}>
      <small>{words.filterHint}</small>
      {draft.anyOf !== undefined && <small>{words.keptAlternatives(draft.anyOf.length)}</small>}
      {matchesNothing(draft) && <Notice tone="warning">{words.emptyList}</Notice>}
      {dropped.length > 0 && (
        <Notice tone="warning">
          {words.dropped(dropped.map((param) => kitWords.quoted(filterWords.param(param))))}
        </Notice>
      )}
    </div>
  )
}

interface FormProps {
  id: string
  draft: RuleDraft
  change: (part: Partial<RuleDraft>) => void
}

function NewForm({ id, draft, change }: FormProps) {
  const [, navigate] = useLocation()
  const creation = useCreation((alert) => navigate(`/alerts/${alert.id}`, { replace: true }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!creation.isPending) creation.mutate(bodyOf(draft))
  }
  return (
    <form id={id} className={styles.stack} onSubmit={submit} noValidate>
      <RuleFields draft={draft} change={change} error={creation.error} />
      {creation.error !== null && <RequestFailure error={creation.error} />}
      <div className={styles.line}>
        <Button type="submit" variant="primary" busy={creation.isPending} disabled={draft.name.trim() === ''}>
          {words.create}
        </Button>
      </div>
    </form>
  )
}

function ChangeForm({ id, alert, former, draft, change }: FormProps & { alert: Alert; former: RuleDraft }) {
  const client = useQueryClient()
  const saving = useAlertChange(alert)
  const changed = changeBetween(former, draft)
  const isChanged = Object.keys(changed).length > 0
  const isStale = saving.error instanceof ApiError && saving.error.code === 'stale_version'
  const save = (version: { ifVersion?: number }) =>
    saving.mutate({ change: { ...changed, ...version }, text: words.saved(draft.name.trim()) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isChanged && !saving.isPending) save({ ifVersion: alert.version })
  }
  return (
    <form id={id} className={styles.stack} onSubmit={submit} noValidate>
      <RuleFields draft={draft} change={change} error={saving.error} />
      {isStale && (
        <StaleNotice
          loadLabel={words.loadTheirs}
          onLoad={() => void client.invalidateQueries({ queryKey: ['alerts', alert.id] })}
          onSave={() => save({})}
        >
          {words.stale}
        </StaleNotice>
      )}
      {saving.error !== null && !isStale && <RequestFailure error={saving.error} />}
      <div className={styles.line}>
        <Button type="submit" variant="primary" busy={saving.isPending} disabled={!isChanged}>
          {words.save}
        </Button>
        {isChanged && <Button onClick={() => change(former)}>{words.discard}</Button>}
        {isChanged && <small>{words.changed}</small>}
      </div>
    </form>
  )
}
