import { reasonFor } from '../app/new-keyword/draft.ts'
import { Field, TagInput, TextArea, TextInput } from '../kit/field.tsx'
import type { CompanyDraft } from './company-draft.ts'
import styles from './settings.module.css'
import { words } from './words.ts'

interface CompanyFieldsProps {
  draft: CompanyDraft
  errors: ReadonlyMap<string, string> | undefined
  onChange: (part: Partial<CompanyDraft>) => void
}

type TextName = 'name' | 'website' | 'description' | 'guidelines' | 'x' | 'linkedin'

const LIMITS: Readonly<Record<TextName, number>> = {
  name: 120,
  website: 500,
  description: 2000,
  guidelines: 2000,
  x: 300,
  linkedin: 300,
}

export function CompanyFields({ draft, errors, onChange }: CompanyFieldsProps) {
  const text = (
    name: TextName,
    { field = name as string, hint, long }: { field?: string; hint?: string; long?: boolean },
  ) => {
    const Control = long ? TextArea : TextInput
    return (
      <Field label={words[name]} hint={hint} error={reasonFor(errors, field)}>
        <Control
          dir="auto"
          value={draft[name]}
          maxLength={LIMITS[name]}
          onChange={(event: { target: { value: string } }) => onChange({ [name]: event.target.value })}
        />
      </Field>
    )
  }
  const list = (name: 'useCases' | 'competitors', hint?: string) => (
    <Field label={words[name]} hint={hint} error={reasonFor(errors, name)}>
      <TagInput label={words[name]} values={draft[name]} onChange={(values) => onChange({ [name]: values })} />
    </Field>
  )
  return (
    <>
      <div className={styles.pair}>
        {text('name', {})}
        {text('website', {})}
      </div>
      {text('description', { hint: words.descriptionHint, long: true })}
      {list('useCases')}
      {list('competitors', words.competitorsHint)}
      {text('guidelines', { hint: words.guidelinesHint, long: true })}
      <div className={styles.pair}>
        {text('x', { field: 'accounts.x' })}
        {text('linkedin', { field: 'accounts.linkedin' })}
      </div>
    </>
  )
}
