import styles from './meter.module.css'

/** A thin line filled to a share from 0 to 1. The figure stands beside it. */
export function Bar({ share, label }: { share: number; label: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100)
  return (
    // biome-ignore lint/a11y/useSemanticElements: the parts of a native meter cannot be styled alike in all browsers
    <div
      role="meter"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className={styles.bar}
    >
      <div className={styles.fill} style={{ inlineSize: `${percent}%` }} />
    </div>
  )
}
