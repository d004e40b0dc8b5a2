import { useState } from 'react'
import { Switch } from '../kit/field.tsx'
import { areKeysOn, switchKeys } from './keys.ts'
import { words } from './words.ts'

/** Whether single keys act in this browser. */
export function KeySwitch({ hint }: { hint?: string }) {
  const [on, setOn] = useState(areKeysOn)
  const change = (checked: boolean) => {
    switchKeys(checked)
    setOn(checked)
  }
  return (
    <Switch
      label={words.singleKeys}
      hint={hint}
      checked={on}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  )
}
