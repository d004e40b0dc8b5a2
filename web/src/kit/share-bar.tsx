import styles from './share-bar.module.css'

interface Part {
  /** From 0 to 1. */
  share: number
  colour: string
}

/** Shares as parts of one bar. The figures stand beside it. */
export function ShareBar({ parts }: { parts: readonly Part[] }) {
  let from = 0
  const placed = parts.map(({ share, colour }) => {
    const start = from
    from += share
    return { start, share, colour }
  })
  return (
    <svg aria-hidden="true" className={styles.bar} viewBox="0 0 100 8" preserveAspectRatio="none">
      <rect width="100" height="8" fill="var(--raised)" />
      {placed.map(({ start, share, colour }) => (
        <rect key={start} x={start * 100} width={share * 100} height="8" fill={`var(${colour})`} />
      ))}
    </svg>
  )
}
