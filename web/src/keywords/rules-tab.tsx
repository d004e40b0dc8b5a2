import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { ApiError } from '../api/errors.ts'
import type { Keyword } from '../api/keywords.ts'
import { useDraft } from '../app/kept-drafts.ts'
import { reasonFor } from '../app/new-keyword/draft.ts'
import { KINDS } from '../app/new-keyword/kinds.ts'
import { MatchingFields } from '../app/new-keyword/matching-fields.tsx'
import { ContextField } from '../app/new-keyword/new-keyword-form.tsx'
import { PlatformChoice } from '../app/new-keyword/platform-choice.tsx'
import { words as fieldWords } from '../app/new-keyword/words.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { GROUPS_QUERY } from '../app/workspace-queries.ts'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Field, NativeSelect, TextInput } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import styles from './keywords.module.css'
import { changeBetween, type RulesDraft, rulesOf } from './rules-draft.ts'
import { useKeywordChange } from './use-keyword.ts'
import { words } from './words.ts'

/** What the fields of the form share. */
interface Fields {
  draft: RulesDraft
  change: (part: Partial<RulesDraft>) => void
  errors: ReadonlyMap<string, string> | undefined
}

export function RulesTab({ keyword }: { keyword: Keyword }) {
  const former = rulesOf(keyword)
  // An undo or a colleague changes the keyword under the form, which then begins anew.
  return <RulesForm key={JSON.stringify(former)} keyword={keyword} former={former} />
}

function RulesForm({ keyword, former }: { keyword: Keyword; former: RulesDraft }) {
  const [draft, setDraft] = useDraft(`rules ${keyword.id}`, former)
  const saving = useKeywordChange(keyword)
  const change = changeBetween(former, draft)
  const isChanged = Object.keys(change).length > 0
  const errors = saving.error instanceof ApiError ? saving.error.fields : undefined
  const fields: Fields = { draft, change: (part) => setDraft((typed) => ({ ...typed, ...part })), errors }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isChanged && !saving.isPending) saving.mutate({ change, text: words.saved(keyword.term) })
  }
  return (
    <Form onSubmit={submit} noValidate>
      <div className={styles.pair}>
        <Card title={words.basics}>
          <BasicFields {...fields} keyword={keyword} />
        </Card>
        <Card title={words.matching}>
          <div className={styles.stack}>
            <MatchingFields
              value={draft.matching}
              onChange={(matching) => fields.change({ matching })}
              errors={errors}
            />
          </div>
        </Card>
      </div>
      {saving.error !== null && <RequestFailure error={saving.error} />}
      <div className={styles.line}>
        <div className={styles.chips}>
          <Button type="submit" variant="primary" disabled={!isChanged} busy={saving.isPending}>
            {words.save}
          </Button>
          {isChanged && <Button onClick={() => setDraft(former)}>{words.discard}</Button>}
        </div>
        <p className={styles.small}>{isChanged ? words.rulesNote : words.noChanges}</p>
      </div>
    </Form>
  )
}

function BasicFields({ keyword, draft, change, errors }: Fields & { keyword: Keyword }) {
  const { cap, reviewSources } = keyword
  return (
    <div className={styles.stack}>
      <Field label={fieldWords.kind} error={reasonFor(errors, 'kind')}>
        <NativeSelect
          options={KINDS}
          value={draft.kind}
          onChange={(event) => change({ kind: event.target.value as Keyword['kind'] })}
        />
      </Field>
      <GroupField keyword={keyword} draft={draft} change={change} errors={errors} />
      <ContextField value={draft.context} onChange={(context) => change({ context })} errors={errors} />
      <PlatformChoice
        value={draft.platforms}
        allowsNone={reviewSources.length > 0}
        onChange={(platforms) => change({ platforms })}
      />
      {draft.platforms?.length === 0 && <p className={styles.small}>{fieldWords.reviewsOnly}</p>}
      <Field
        label={words.cap}
        hint={cap?.welcome ? words.capWelcome(cap.mentions) : words.capHint}
        error={reasonFor(errors, 'cap')}
      >
        <TextInput inputMode="numeric" value={draft.cap} onChange={(event) => change({ cap: event.target.value })} />
      </Field>
    </div>
  )
}

function GroupField({ keyword, draft, change, errors }: Fields & { keyword: Keyword }) {
  const groups = useQuery(GROUPS_QUERY)
  const known = groups.data?.data ?? [keyword.group]
  return (
    <Field label={words.group} error={reasonFor(errors, 'groupId')}>
      <NativeSelect
        options={known.map(({ id, name }) => ({ value: id, label: name }))}
        value={draft.groupId}
        onChange={(event) => change({ groupId: event.target.value })}
      />
    </Field>
  )
}
