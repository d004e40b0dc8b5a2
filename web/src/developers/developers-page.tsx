import { keyOf } from '../app/key-table.ts'
import { Page } from '../app/page.tsx'
import { RequestList } from '../app/request-list.tsx'
import { Card } from '../kit/card.tsx'
import { Kbd } from '../kit/kbd.tsx'
import { ApiCard } from './api-card.tsx'
import { ClientCard } from './client-card.tsx'
import styles from './developers.module.css'
import { LimitsCard } from './limits-card.tsx'
import { words } from './words.ts'

/** What programs need: addresses, set-ups, limits, and the requests behind the dashboard. */
export default function DevelopersPage() {
  return (
    <Page title={words.title}>
      <div className={styles.columns}>
        <div className={styles.stack}>
          <ClientCard />
          <ApiCard />
        </div>
        <LimitsCard />
      </div>
      <div className={styles.requests}>
        <Card
          title={words.tab}
          aside={
            <>
              {words.anywhere} <Kbd keys={keyOf('requests')} />
            </>
          }
        >
          <RequestList />
        </Card>
      </div>
    </Page>
  )
}
