import type { Keyword, KeywordHealth } from '../api/keywords.ts'
import { centsPerRelevant } from '../app/month/relevant-in-month.ts'
import { Count } from '../kit/count.tsx'
import { FigureCard } from '../kit/figure-card.tsx'
import { formatMoney, formatPrice } from '../kit/money.tsx'
import { formatShare, Share } from '../kit/share.tsx'
import styles from './keywords.module.css'
import { capNote, noiseCents } from './state.ts'
import { words } from './words.ts'

export function HealthFigures({ keyword, report }: { keyword: Keyword; report: KeywordHealth }) {
  const { matches, relevant, filtered, unscored, noiseShare, workspaceShare, cost } = report.stats
  const { figures } = words
  return (
    <div className={styles.figures}>
      <FigureCard label={figures.matches} value={<Count value={matches} />} note={words.unscored(unscored)} />
      <FigureCard
        label={figures.relevant}
        value={<Share value={noiseShare === null ? null : 1 - noiseShare} />}
        note={
          workspaceShare === null
            ? words.ofScored(relevant, relevant + filtered)
            : words.workspaceShare(formatShare(1 - workspaceShare))
        }
      />
      <FigureCard
        label={figures.perRelevant}
        value={formatPrice(centsPerRelevant(cost.totalCents, relevant))}
        note={words.inAll(formatMoney(cost.totalCents))}
      />
      <FigureCard
        label={figures.noise}
        value={formatMoney(Math.round(noiseCents(cost, filtered)))}
        note={words.below(filtered)}
      />
      <FigureCard label={figures.month} value={<Count value={keyword.stats.thisMonth} />} note={capNote(keyword)} />
    </div>
  )
}
