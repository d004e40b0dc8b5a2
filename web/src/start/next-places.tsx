import { Link } from 'wouter'
import { Card } from '../kit/card.tsx'
import styles from './next-places.module.css'
import type { Milestones } from './use-milestones.ts'
import { words } from './words.ts'

/** How long it took in this visit, and where to go from here. */
export function NextPlaces({ mentionSeconds, deliverySeconds }: Milestones) {
  return (
    <Card title={words.next} aside={words.milestones(mentionSeconds, deliverySeconds)}>
      <ul className={styles.places}>
        <li>
          <Link href="/inbox">{words.nextInbox}</Link>
          <small>{words.nextInboxHint}</small>
        </li>
        <li>
          <a href="/guide">{words.nextGuide}</a>
          <small>{words.nextGuideHint}</small>
        </li>
        <li>
          <a href="/keys">{words.nextKeys}</a>
          <small>{words.nextKeysHint}</small>
        </li>
      </ul>
    </Card>
  )
}
