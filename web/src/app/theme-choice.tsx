import { useId, useState } from 'react'
import { NativeSelect } from '../kit/field.tsx'
import { chooseTheme, readTheme, THEMES, type Theme } from './theme.ts'
import styles from './theme-choice.module.css'
import { words } from './words.ts'

export function ThemeChoice() {
  const [theme, setTheme] = useState(readTheme)
  const id = useId()
  const choose = (chosen: Theme) => {
    chooseTheme(chosen)
    setTheme(chosen)
  }
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{words.theme}</label>
      <NativeSelect
        id={id}
        value={theme}
        onChange={(event) => choose(event.currentTarget.value as Theme)}
        options={THEMES.map((value) => ({ value, label: words.themes[value] }))}
      />
    </div>
  )
}
