import { useLocation } from 'wouter'
import { LinkButton } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { followBy } from '../kit/follow.ts'
import styles from './settings.module.css'
import { words } from './words.ts'

/** Grants belong to a person and hold over workspaces, so the account page of the server has them. */
export function AppsTab() {
  const [, navigate] = useLocation()
  return (
    <div className={styles.narrow}>
      <Card title={words.tabs.apps}>
        <div className={styles.stack}>
          <p>{words.appsHint}</p>
          <p>{words.connectHint}</p>
          <div className={styles.line}>
            <LinkButton variant="primary" href="/account#apps">
              {words.toAccount}
            </LinkButton>
            <LinkButton href="/developers" onClick={followBy(navigate)}>
              {words.toDevelopers}
            </LinkButton>
          </div>
        </div>
      </Card>
    </div>
  )
}
