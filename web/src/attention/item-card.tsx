import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import type { AttentionItem } from '../api/attention.ts'
import { keyOf } from '../app/key-table.ts'
import { Badge } from '../kit/badge.tsx'
import { Button, LinkButton } from '../kit/button.tsx'
import { followBy } from '../kit/follow.ts'
import { Time } from '../kit/time.tsx'
import type { Tone } from '../kit/tone.ts'
import { VisuallyHidden } from '../kit/visually-hidden.tsx'
import styles from './attention.module.css'
import { helpFor } from './help.ts'
import { words } from './words.ts'

interface ItemCardProps {
  item: AttentionItem
  isChosen: boolean
  /** Whether the item is shown only because a link named it. */
  isLinked: boolean
  onDismiss: () => void
}

const TONES: Readonly<Record<AttentionItem['status'], Tone>> = {
  open: 'warning',
  resolved: 'positive',
  dismissed: 'neutral',
}

/** What happened, what it means, and what helps. */
export function ItemCard({ item, isChosen, isLinked, onDismiss }: ItemCardProps) {
  const { kind, status, title } = item
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <li ref={card} className={styles.item} aria-current={isChosen || undefined}>
      {isLinked && <p className={styles.small}>{words.linked}</p>}
      <div className={styles.head}>
        <Badge tone={TONES[status]}>{words.kinds[kind]}</Badge>
        <Moments item={item} />
      </div>
      <h2 className={styles.title} dir="auto">
        {title}
      </h2>
      <p>{words.meanings[kind]}</p>
      {status === 'open' && <p className={styles.small}>{words.ends[kind]}</p>}
      <Actions item={item} isChosen={isChosen} onDismiss={onDismiss} />
    </li>
  )
}

function Moments({ item: { status, openedAt, resolvedAt, dismissedAt } }: { item: AttentionItem }) {
  return (
    <small className={styles.moments}>
      {status !== 'open' && words.statuses[status]} {words.since} <Time at={openedAt} />
      {resolvedAt !== null && (
        <>
          {' · '}
          {words.until} <Time at={resolvedAt} />
        </>
      )}
      {dismissedAt !== null && (
        <>
          {' · '}
          {words.dismissedAt} <Time at={dismissedAt} />
        </>
      )}
    </small>
  )
}

function Actions({ item, isChosen, onDismiss }: Omit<ItemCardProps, 'isLinked'>) {
  const [, navigate] = useLocation()
  return (
    <div className={styles.actions}>
      {helpFor(item).map(({ label, href }, index) => (
        <LinkButton
          key={href}
          size="small"
          variant={index === 0 && item.status === 'open' ? 'primary' : 'plain'}
          keys={index === 0 && isChosen ? keyOf('open') : undefined}
          href={href}
          onClick={followBy(navigate)}
        >
          {label}
        </LinkButton>
      ))}
      {item.status === 'open' && (
        <Button size="small" variant="quiet" keys={isChosen ? keyOf('done') : undefined} onClick={onDismiss}>
          {words.dismiss}
          <VisuallyHidden>: {item.title}</VisuallyHidden>
        </Button>
      )}
    </div>
  )
}
