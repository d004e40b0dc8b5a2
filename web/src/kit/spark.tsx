import styles from './spark.module.css'

const WIDTH = 80
const HEIGHT = 20
/** Room for half the line's width. */
const INSET = 1

/** A line without axes; the label says what it shows. */
export function Spark({ values, label }: { values: readonly number[]; label: string }) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={styles.spark}
    >
      <polyline points={sparkPoints(values)} />
    </svg>
  )
}

/** Points from the left to the right, zero at the bottom and the greatest value at the top. */
export function sparkPoints(values: readonly number[]): string {
  const most = Math.max(1, ...values)
  const step = values.length > 1 ? (WIDTH - 2 * INSET) / (values.length - 1) : 0
  const points = values.map((value, index) => {
    const x = INSET + index * step
    const y = HEIGHT - INSET - (Math.max(0, value) / most) * (HEIGHT - 2 * INSET)
    return `${round(x)},${round(y)}`
  })
  return points.join(' ')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
