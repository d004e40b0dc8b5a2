import { useState } from 'react'
import { KeySwitch } from '../app/key-switch.tsx'
import { LanguageChoice } from '../app/language-choice.tsx'
import { ThemeChoice } from '../app/theme-choice.tsx'
import { preferredTimes, preferTimes } from '../app/time-preference.ts'
import { Card } from '../kit/card.tsx'
import { RadioCards } from '../kit/field.tsx'
import styles from './settings.module.css'
import { words } from './words.ts'

const FORMATS = (['relative', 'exact'] as const).map((value) => ({ value, label: words.timeFormats[value] }))

/** What a person's browser shows and how it takes keys. */
export function PreferencesTab() {
  const [times, setTimes] = useState(preferredTimes)
  return (
    <div className={styles.narrow}>
      <p className={styles.hint}>{words.preferencesHint}</p>
      <Card title={words.look}>
        <ThemeChoice />
      </Card>
      <Card title={words.language}>
        <div className={styles.stack}>
          <div>
            <LanguageChoice />
          </div>
          <p className={styles.small}>{words.languageHint}</p>
        </div>
      </Card>
      <Card title={words.keys}>
        <div className={styles.stack}>
          <KeySwitch hint={words.keysOff} />
          <p className={styles.small}>{words.showKeys}</p>
        </div>
      </Card>
      <Card>
        <div className={styles.stack}>
          <RadioCards
            legend={words.times}
            options={FORMATS}
            value={times}
            onChange={(format) => {
              preferTimes(format)
              setTimes(format)
            }}
          />
          <p className={styles.small}>{words.timesHint}</p>
        </div>
      </Card>
    </div>
  )
}
