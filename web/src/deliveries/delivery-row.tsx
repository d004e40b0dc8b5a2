import type { Delivery } from '../api/deliveries.ts'
import { followBy, type Navigate } from '../kit/follow.ts'
import { InsideRow } from '../kit/inside-row.ts'
import { Time } from '../kit/time.tsx'
import styles from './deliveries.module.css'
import { StatusBadge } from './status-badge.tsx'
import { words } from './words.ts'

interface DeliveryRowProps {
  delivery: Delivery
  channel: string
  href: string
  isOpen: boolean
  onNavigate: Navigate
}

/** A line of the log, which opens the delivery beside it. */
export function DeliveryRow({ delivery, channel, href, isOpen, onNavigate }: DeliveryRowProps) {
  const { status, alerts, attempts, error, createdAt } = delivery
  const names = alerts.map(({ name }) => name)
  return (
    <li className={styles.row} data-open={isOpen || undefined}>
      <a className={styles.rowLink} href={href} aria-current={isOpen || undefined} onClick={followBy(onNavigate)}>
        <span className={styles.rowHead}>
          <StatusBadge status={status} />
          <bdi className={styles.channel}>{channel}</bdi>
        </span>
        <span className={styles.subject} dir="auto">
          {words.subject(delivery)}
        </span>
        <span className={styles.rowFoot}>
          {names.length > 0 && <bdi className={styles.cut}>{words.ofRules(names)}</bdi>}
          {status !== 'delivered' && attempts > 0 && <span>{words.attempts(attempts)}</span>}
          {error !== null && <span className={styles.fault}>{error}</span>}
        </span>
      </a>
      <small className={styles.rowTime}>
        <InsideRow value={true}>
          <Time at={createdAt} />
        </InsideRow>
      </small>
    </li>
  )
}
