import { useSearchParams } from 'wouter'
import type { Wallet } from '../api/billing.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { useWallet } from '../app/workspace-queries.ts'
import { Count } from '../kit/count.tsx'
import { FigureCard } from '../kit/figure-card.tsx'
import { formatMoney } from '../kit/money.tsx'
import { Notice } from '../kit/notice.tsx'
import { formatUtcDay } from '../kit/time.tsx'
import styles from './billing.module.css'
import { RechargeCard } from './recharge-card.tsx'
import { TopUpCard } from './top-up-card.tsx'
import { words } from './words.ts'

/** The balance, how long it lasts, and how it grows. */
export function WalletTab() {
  const wallet = useWallet()
  return (
    <QueryPanel query={wallet} lines={4} height={88}>
      {(data) => <LoadedWallet wallet={data} />}
    </QueryPanel>
  )
}

function LoadedWallet({ wallet }: { wallet: Wallet }) {
  const [params] = useSearchParams()
  return (
    <div className={styles.stack}>
      {params.has('paid') && <Notice tone="positive">{words.paid}</Notice>}
      <WalletNotice wallet={wallet} />
      <Figures wallet={wallet} />
      <p className={styles.small}>{historyOf(wallet)}</p>
      <div className={styles.columns}>
        <TopUpCard wallet={wallet} />
        <RechargeCard key={JSON.stringify(wallet.autoRecharge)} wallet={wallet} />
      </div>
    </div>
  )
}

function WalletNotice({ wallet: { stopped, lowBalance, autoMutedKeywords, resumeCostCents } }: { wallet: Wallet }) {
  if (stopped) return <Notice tone="negative">{words.stopped(autoMutedKeywords, formatMoney(resumeCostCents))}</Notice>
  return lowBalance ? <Notice tone="warning">{words.low}</Notice> : null
}

const DAY_MS = 24 * 60 * 60 * 1000

function Figures({ wallet }: { wallet: Wallet }) {
  const { effectiveBalanceCents, pendingCents, burnPerDayCents, daysLeft, nextDayCents, activeKeywords } = wallet
  const { figures } = words
  return (
    <div className={styles.figures}>
      <FigureCard
        label={figures.balance}
        value={formatMoney(effectiveBalanceCents)}
        note={pendingCents === 0 ? words.nothingPending : words.pending(formatMoney(pendingCents))}
      />
      <FigureCard
        label={figures.daysLeft}
        value={daysLeft === null ? '–' : <Count value={daysLeft} />}
        note={daysLeft === null ? words.endless : words.ends(formatUtcDay(Date.now() + daysLeft * DAY_MS))}
      />
      <FigureCard label={figures.burn} value={formatMoney(burnPerDayCents)} note={words.burnNote} />
      <FigureCard label={figures.nextDay} value={formatMoney(nextDayCents)} note={words.keywords(activeKeywords)} />
    </div>
  )
}

function historyOf({ signupCredit, lastTopUpAt }: Wallet): string {
  const credit =
    signupCredit && words.credit(formatMoney(signupCredit.amountCents), formatUtcDay(signupCredit.grantedAt))
  return [credit, lastTopUpAt === null ? words.noTopUp : words.lastTopUp(formatUtcDay(lastTopUpAt))]
    .filter((part) => part !== null)
    .join(' ')
}
