import { useId } from 'react'
import { NativeSelect } from '../kit/field.tsx'
import { showToast } from '../kit/toast.tsx'
import { LANGUAGE_NAMES, type Language } from './languages.ts'
import { chooseLanguage, useSession } from './session.ts'
import styles from './theme-choice.module.css'
import { words } from './words.ts'

const OPTIONS = [
  { value: '', label: words.asBrowser },
  ...Object.entries(LANGUAGE_NAMES).map(([value, label]) => ({ value, label })),
]

/** Of the account, so that every browser of the person follows. */
export function LanguageChoice() {
  const { user } = useSession()
  const id = useId()
  const choose = (language: Language | '') => {
    chooseLanguage(language).catch((error: Error) => showToast({ text: error.message, tone: 'negative' }))
  }
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{words.language}</label>
      <NativeSelect
        id={id}
        value={user.language ?? ''}
        onChange={(event) => choose(event.currentTarget.value as Language | '')}
        options={OPTIONS}
      />
    </div>
  )
}
