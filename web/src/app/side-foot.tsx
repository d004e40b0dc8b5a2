import { Link } from 'wouter'
import { Money } from '../kit/money.tsx'
import { useSession } from './session.ts'
import styles from './side-foot.module.css'
import { useLive, useLiveState } from './use-live.ts'
import { words } from './words.ts'
import { useWallet } from './workspace-queries.ts'

/** The workspace, its balance and whether changes arrive live. */
export function SideFoot() {
  const { workspace } = useSession()
  const wallet = useWallet()
  const live = useLiveState()
  useLive(['wallet.changed'], () => void wallet.refetch())
  return (
    <div className={styles.foot}>
      <div className={styles.line}>
        <a className={styles.workspace} href="/workspaces">
          {workspace.name}
        </a>
        <span
          className={styles.live}
          data-state={live}
          role="img"
          aria-label={words.live[live]}
          title={words.live[live]}
        />
      </div>
      {wallet.data !== undefined && (
        <Link className={styles.money} href="/billing" title={words.money}>
          <b>
            <Money cents={wallet.data.effectiveBalanceCents} />
          </b>
          {wallet.data.daysLeft !== null && <small>{words.daysLeft(wallet.data.daysLeft)}</small>}
        </Link>
      )}
    </div>
  )
}
