import { isNoisy } from './health.ts'
import { type KeywordHealth, NOISE_RULE } from './keyword.ts'

/** Counts are of the window. */
export interface ReportedFacts {
  status: KeywordHealth
  days: number
  muted: { byBalance: boolean; byNoise: boolean }
  monthlyLimit: number | null
  matches: number
  relevant: number
  filtered: number
  unscored: number
  /** Null when the status covers the whole window. */
  judged: { since: string; scored: number; relevant: number } | null
  /** 0 to 1; null without scored matches. */
  noiseShare: number | null
  workspaceShare: number | null
  /** Noisiest first. */
  noisyPlatforms: readonly string[]
}

const NOTABLE_DIFFERENCE = 0.15
const NOTABLE_BACKLOG = 0.1

/** The status first. */
export function healthReasons(facts: ReportedFacts): string[] {
  return [
    statusReason(facts),
    comparisonReason(facts),
    platformReason(facts),
    changeReason(facts),
    backlogReason(facts),
  ].filter((reason) => reason !== null)
}

function statusReason({ status, days, muted, monthlyLimit, judged, ...facts }: ReportedFacts): string {
  const { scored, relevant } = judged ?? { scored: facts.relevant + facts.filtered, relevant: facts.relevant }
  const period = judged === null ? `in the last ${days} days` : 'since the last change'
  switch (status) {
    case 'paused':
      if (muted.byBalance) return 'Paused: the balance ran out. Nothing is matched until you top up.'
      if (muted.byNoise)
        return (
          'Paused: almost all matches were noise. Change the rules, platforms or context, or unmute the ' +
          'keyword, to resume.'
        )
      return 'Paused: the keyword is muted, so nothing is matched.'
    case 'capped':
      return (
        `Capped: the limit${monthlyLimit === null ? '' : ` of ${monthlyLimit} matches`} for this month is reached; ` +
        'nothing more is matched until the month turns or the limit is raised.'
      )
    case 'noisy':
      return (
        `Noisy: only ${relevant} of ${scored} scored matches ${period} were relevant ` +
        `(${percent(relevant / scored)}); under ${percent(NOISE_RULE.relevantShareBelow)} counts as noisy.`
      )
    case 'new':
      return `New: too few scores yet, with ${scored} scored ${scored === 1 ? 'match' : 'matches'} ${period}.`
    case 'quiet':
      return scored === 0
        ? `Quiet: nothing was matched and scored ${period}.`
        : `Quiet: none of ${scored} scored ${scored === 1 ? 'match' : 'matches'} ${period} was relevant.`
    case 'healthy':
      return (
        `Healthy: ${relevant} of ${scored} scored ${scored === 1 ? 'match' : 'matches'} ${period} ` +
        `${relevant === 1 ? 'was' : 'were'} relevant (${percent(relevant / scored)}).`
      )
  }
}

function comparisonReason({ noiseShare, workspaceShare }: ReportedFacts): string | null {
  if (noiseShare === null || workspaceShare === null || Math.abs(noiseShare - workspaceShare) < NOTABLE_DIFFERENCE)
    return null
  const than = noiseShare > workspaceShare ? 'more' : 'less'
  return (
    `${percent(noiseShare)} of its scored matches are noise, ${than} than the ${percent(workspaceShare)} of all ` +
    'keywords of the workspace.'
  )
}

function platformReason({ noisyPlatforms }: ReportedFacts): string | null {
  if (noisyPlatforms.length === 0) return null
  return `Most of its noise comes from platforms with hardly any relevant post: ${noisyPlatforms.join(', ')}.`
}

function changeReason({ status, judged, relevant, filtered }: ReportedFacts): string | null {
  if (judged === null || status === 'paused' || status === 'capped') return null
  const whole = { scored: relevant + filtered, relevant }
  const before = isNoisy(whole) && status !== 'noisy' ? ' The noise of the window came before that.' : ''
  return (
    `It was changed or unmuted on ${judged.since.slice(0, 10)}, and only later matches count for its ` +
    `status.${before}`
  )
}

function backlogReason({ matches, unscored }: ReportedFacts): string | null {
  if (unscored === 0 || unscored < NOTABLE_BACKLOG * matches) return null
  return `${unscored} of ${matches} matches are not scored yet.`
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`
}
