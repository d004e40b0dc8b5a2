import { useLocation } from 'wouter'
import { LinkButton } from '../kit/button.tsx'
import { followBy } from '../kit/follow.ts'
import styles from './analytics.module.css'

interface ChoiceLinksProps<Value extends string> {
  label: string
  values: readonly Value[]
  names: Readonly<Record<Value, string>>
  /** Null where none of them is chosen. */
  current: Value | null
  hrefOf: (value: Value) => string
  keysOf?: (value: Value) => string | undefined
}

/** A choice of one value, each with its address. */
export function ChoiceLinks<Value extends string>(props: ChoiceLinksProps<Value>) {
  const [, navigate] = useLocation()
  const { label, values, names, current, hrefOf, keysOf } = props
  return (
    <nav className={styles.chips} aria-label={label}>
      {values.map((value) => (
        <LinkButton
          key={value}
          size="small"
          href={hrefOf(value)}
          keys={keysOf?.(value)}
          aria-current={value === current ? 'true' : undefined}
          onClick={followBy((href) => navigate(href, { replace: true }))}
        >
          {names[value]}
        </LinkButton>
      ))}
    </nav>
  )
}
