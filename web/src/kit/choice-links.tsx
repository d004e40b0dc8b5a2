import { LinkButton } from './button.tsx'
import styles from './choice-links.module.css'
import { followBy, type Navigate } from './follow.ts'

interface ChoiceLinksProps<Value extends string> {
  label: string
  values: readonly Value[]
  names: Readonly<Record<Value, string>>
  /** Null where none of them is chosen. */
  current: Value | null
  hrefOf: (value: Value) => string
  keysOf?: (value: Value) => string | undefined
  onNavigate: Navigate
}

/** A choice of one value, each with its address. */
export function ChoiceLinks<Value extends string>(props: ChoiceLinksProps<Value>) {
  const { label, values, names, current, hrefOf, keysOf, onNavigate } = props
  return (
    <nav className={styles.choices} aria-label={label}>
      {values.map((value) => (
        <LinkButton
          key={value}
          size="small"
          href={hrefOf(value)}
          keys={keysOf?.(value)}
          aria-current={value === current ? 'true' : undefined}
          onClick={followBy(onNavigate)}
        >
          {names[value]}
        </LinkButton>
      ))}
    </nav>
  )
}
