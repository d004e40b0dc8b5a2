import { useLocation } from 'wouter'
import type { KeywordHealth } from '../api/keywords.ts'
import { type WeekBar, WeekBars } from '../kit/bars.tsx'
import { Card } from '../kit/card.tsx'
import { formatUtcDayOfMonth } from '../kit/time.tsx'
import { words } from './words.ts'

interface WeeklyBarsProps {
  keywordId: string
  weekly: KeywordHealth['stats']['weekly']
  /** The last day of the last week. */
  until: string
}

const LEGEND = [
  { tone: 'accent', label: words.relevantLegend },
  { tone: 'neutral', label: words.othersLegend },
] as const

/** Each bar leads to the mentions of its week. */
export function WeeklyBars({ keywordId, weekly, until }: WeeklyBarsProps) {
  const [, navigate] = useLocation()
  const bars = weekly.map(({ from, matches, relevant }, index): WeekBar => {
    const end = weekly[index + 1]?.from
    return {
      label: formatUtcDayOfMonth(from),
      parts: [
        { value: relevant, tone: 'accent' },
        // A match counts on its day and its relevance on the day of the score, so a week may have more relevant ones.
        { value: Math.max(0, matches - relevant), tone: 'neutral' },
      ],
      href: `/inbox?keywordIds=${keywordId}&since=${from}T00:00:00Z&until=${
        end === undefined ? `${until}T23:59:59Z` : `${end}T00:00:00Z`
      }`,
    }
  })
  return (
    <Card title={words.byWeek}>
      <WeekBars bars={bars} legend={LEGEND} caption={words.byWeek} onNavigate={navigate} />
    </Card>
  )
}
