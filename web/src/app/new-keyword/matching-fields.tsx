import { Checkbox, Field, NativeSelect, TagInput } from '../../kit/field.tsx'
import { type Matching, reasonFor } from './draft.ts'
import { words } from './words.ts'

interface MatchingFieldsProps {
  value: Matching
  onChange: (matching: Matching) => void
  errors: ReadonlyMap<string, string> | undefined
}

const LISTS = [
  ['requiredTerms', words.requiredTerms, words.requiredTermsHint],
  ['excludedTerms', words.excludedTerms, words.excludedTermsHint],
  ['excludedAuthors', words.excludedAuthors, words.excludedAuthorsHint],
] as const

const MODES = (['any', 'all'] as const).map((mode) => ({ value: mode, label: words.requiredModes[mode] }))

/** The rules by which posts with the term are kept or dropped. */
export function MatchingFields({ value, onChange, errors }: MatchingFieldsProps) {
  const change = (part: Partial<Matching>) => onChange({ ...value, ...part })
  return (
    <>
      {LISTS.map(([name, label, hint]) => (
        <Field key={name} label={label} hint={hint} error={reasonFor(errors, `matching.${name}`)}>
          <TagInput label={label} values={value[name]} onChange={(entries) => change({ [name]: entries })} />
        </Field>
      ))}
      {value.requiredTerms.length > 1 && (
        <Field label={words.requiredMode} error={reasonFor(errors, 'matching.requiredMode')}>
          <NativeSelect
            options={MODES}
            value={value.requiredMode}
            onChange={(event) => change({ requiredMode: event.target.value === 'all' ? 'all' : 'any' })}
          />
        </Field>
      )}
      <Checkbox
        label={words.caseSensitive}
        hint={words.caseSensitiveHint}
        checked={value.caseSensitive}
        onChange={(event) => change({ caseSensitive: event.target.checked })}
      />
    </>
  )
}
