import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { type Company, type CompanyChange, getCompany, updateCompany } from '../api/company.ts'
import { useDraft } from '../app/kept-drafts.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { RequestFailure } from '../app/request-failure.tsx'
import { StaleNotice } from '../app/stale-notice.tsx'
import { Card } from '../kit/card.tsx'
import { Form } from '../kit/form.tsx'
import { type CompanyDraft, companyDraftOf, toCompanyChange } from './company-draft.ts'
import { CompanyFields } from './company-fields.tsx'
import { ContextCard } from './context-card.tsx'
import { differencesOf } from './differences.ts'
import { SaveLine } from './save-line.tsx'
import styles from './settings.module.css'
import { changeBetween, useVersionedSave } from './use-versioned.ts'
import { Versions } from './versions.tsx'
import { words } from './words.ts'

const COMPANY_KEY = ['company']

/** The profile that the classifier reads. */
export function CompanyTab() {
  const company = useQuery({ queryKey: COMPANY_KEY, queryFn: ({ signal }) => getCompany(signal) })
  return (
    <div className={styles.stack}>
      <div className={styles.hint}>
        <p>{words.companyHint}</p>
        <p>{words.companyEffect}</p>
      </div>
      <QueryPanel query={company} lines={6} height={64}>
        {(data) => <Loaded key={data.version} company={data} />}
      </QueryPanel>
    </div>
  )
}

function Loaded({ company }: { company: Company }) {
  return (
    <div className={styles.columns}>
      <CompanyForm company={company} />
      <ContextCard company={company} queryKey={COMPANY_KEY} />
    </div>
  )
}

const { name, website, description, useCases, competitors, x, linkedin, guidelines } = words
const LABELS = { name, website, description, useCases, competitors, x, linkedin, guidelines }

function CompanyForm({ company }: { company: Company }) {
  const former = companyDraftOf(company)
  const [draft, setDraft] = useDraft<CompanyDraft>('company', former)
  const { saving, isStale, present, errors, load } = useVersionedSave<Company, CompanyChange>({
    queryKey: COMPANY_KEY,
    former: company,
    read: getCompany,
    update: updateCompany,
    text: words.companySaved,
  })
  const changed = changeBetween(former, draft)
  const isChanged = Object.keys(changed).length > 0
  const change = toCompanyChange(changed)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isChanged && !saving.isPending) saving.mutate({ change })
  }
  return (
    <Card title={words.profile}>
      <Form onSubmit={submit} noValidate>
        <CompanyFields draft={draft} errors={errors} onChange={(part) => setDraft({ ...draft, ...part })} />
        {isStale && (
          <StaleNotice
            loadLabel={words.loadCompany}
            onLoad={() => {
              setDraft(former)
              void load()
            }}
            onSave={() => saving.mutate({ change, anyway: true })}
            versions={
              present && (
                <Versions
                  differences={differencesOf(LABELS, { former, mine: draft, theirs: companyDraftOf(present) })}
                />
              )
            }
          >
            {words.companyStale}
          </StaleNotice>
        )}
        {saving.error !== null && !isStale && <RequestFailure error={saving.error} />}
        <SaveLine isChanged={isChanged} busy={saving.isPending} onDiscard={() => setDraft(former)} />
      </Form>
    </Card>
  )
}
