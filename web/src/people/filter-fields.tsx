import type { PeopleFilter } from '../api/segments.ts'
import { PLATFORM_NAMES, type Platform } from '../app/platforms.ts'
import { INTENTS } from '../app/post/intent-list.ts'
import { words as postWords } from '../app/post/words.ts'
import { CheckPills } from '../kit/check-pills.tsx'
import { Field, NativeSelect, TagInput, TextInput } from '../kit/field.tsx'
import styles from './people.module.css'
import { withCondition } from './people-query.ts'
import { words } from './words.ts'

interface FilterFieldsProps {
  filter: PeopleFilter
  onChange: (filter: PeopleFilter) => void
}

const PLATFORMS = (Object.keys(PLATFORM_NAMES) as Platform[]).map((value) => ({ value, label: PLATFORM_NAMES[value] }))
const INTENT_OPTIONS = INTENTS.map((value) => ({ value, label: postWords.intent(value) }))
const KINDS = (['brand', 'competitor', 'topic'] as const).map((value) => ({ value, label: words.kinds[value] }))
const MUTED = (['any', 'true', 'false'] as const).map((value) => ({ value, label: words.mutedChoices[value] }))

/** All conditions of people but the words, which lists ask for above. */
export function FilterFields({ filter, onChange }: FilterFieldsProps) {
  const props = { filter, onChange }
  const set = <Name extends keyof PeopleFilter>(name: Name, value: PeopleFilter[Name] | '' | undefined) =>
    onChange(withCondition(filter, name, value))
  return (
    <div className={styles.fields}>
      <Pills {...props} name="platforms" options={PLATFORMS} />
      <Pills {...props} name="notPlatforms" options={PLATFORMS} />
      <div className={styles.numbers}>
        <Field label={words.fields.tags}>
          <TagInput label={words.fields.tags} values={filter.tags ?? []} onChange={(tags) => set('tags', tags)} />
        </Field>
        <Field label={words.fields.notTags}>
          <TagInput
            label={words.fields.notTags}
            values={filter.notTags ?? []}
            onChange={(tags) => set('notTags', tags)}
          />
        </Field>
        <Field label={words.fields.muted}>
          <NativeSelect
            options={MUTED}
            value={String(filter.muted ?? 'any')}
            onChange={({ target }) => set('muted', target.value === 'any' ? undefined : target.value === 'true')}
          />
        </Field>
      </div>
      <div className={styles.numbers}>
        <NumberField {...props} name="minFollowers" />
        <NumberField {...props} name="maxFollowers" />
        <NumberField {...props} name="minMentions" />
        <NumberField {...props} name="minNegative" />
        <Field label={words.fields.since}>
          <TextInput
            type="date"
            value={filter.since?.slice(0, 10) ?? ''}
            onChange={({ target }) => set('since', target.value)}
          />
        </Field>
      </div>
      <Pills {...props} name="keywordKinds" options={KINDS} />
      <Pills {...props} name="intents" options={INTENT_OPTIONS} />
    </div>
  )
}

type ListName = 'platforms' | 'notPlatforms' | 'intents' | 'keywordKinds'

interface PillsProps extends FilterFieldsProps {
  name: ListName
  options: readonly { value: string; label: string }[]
}

function Pills({ name, options, filter, onChange }: PillsProps) {
  const legend = words.fields[name]
  return (
    <div className={styles.pills}>
      <span aria-hidden="true" className={styles.label}>
        {legend}
      </span>
      <CheckPills
        legend={legend}
        options={options}
        values={filter[name] ?? []}
        onChange={(values) => onChange(withCondition(filter, name, values as PeopleFilter[ListName]))}
      />
    </div>
  )
}

interface NumberFieldProps extends FilterFieldsProps {
  name: 'minFollowers' | 'maxFollowers' | 'minMentions' | 'minNegative'
}

function NumberField({ name, filter, onChange }: NumberFieldProps) {
  return (
    <Field label={words.fields[name]}>
      <TextInput
        type="number"
        min={0}
        inputMode="numeric"
        value={filter[name] ?? ''}
        onChange={({ target }) =>
          onChange(withCondition(filter, name, target.value === '' ? undefined : Number(target.value)))
        }
      />
    </Field>
  )
}
