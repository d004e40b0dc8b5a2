import styles from './check-pills.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

interface CheckPillsProps<Value extends string> {
  /** What the pills choose; for screen readers. */
  legend: string
  options: readonly { value: Value; label: string }[]
  values: readonly Value[]
  /** The chosen values in the order of the options. */
  onChange: (values: Value[]) => void
}

/** A choice of any number of a few values, in one line. */
export function CheckPills<Value extends string>({ legend, options, values, onChange }: CheckPillsProps<Value>) {
  const toggle = (changed: Value) =>
    onChange(options.map(({ value }) => value).filter((value) => values.includes(value) !== (value === changed)))
  return (
    <fieldset className={styles.pills}>
      <legend>
        <VisuallyHidden>{legend}</VisuallyHidden>
      </legend>
      {options.map(({ value, label }) => (
        <label key={value} className={styles.pill}>
          <input type="checkbox" checked={values.includes(value)} onChange={() => toggle(value)} />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
