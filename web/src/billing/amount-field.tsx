import { Field, TextInput } from '../kit/field.tsx'
import { formatRoundMoney } from '../kit/money.tsx'
import { centsIn, isWithin } from './amount.ts'
import { words } from './words.ts'

interface AmountFieldProps {
  label: string
  /** Dollars as they are typed. */
  value: string
  /** Limits in cents, both allowed. */
  least: number
  most: number
  disabled: boolean
  onChange: (value: string) => void
}

/** An amount in dollars within limits, which the field tells. */
export function AmountField({ label, value, least, most, disabled, onChange }: AmountFieldProps) {
  const limits = words.between(formatRoundMoney(least), formatRoundMoney(most))
  const isAllowed = isWithin(centsIn(value), least, most)
  return (
    <Field label={label} hint={isAllowed ? limits : undefined} error={isAllowed ? null : limits}>
      <TextInput
        inputMode="decimal"
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
