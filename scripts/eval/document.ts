import { SENTIMENTS } from '../../src/domain/mention/classification.ts'
import { TRAINED_SETS } from '../train/trained.ts'
import { type Calibration, calibrationOf } from './metrics.ts'
import type { Line, SetReport } from './report.ts'

export interface Results {
  lines: readonly Line[]
  reports: readonly SetReport[]
  calibrations: readonly { set: string; field: string; calibration: Calibration }[]
}

/** Every table as Markdown, by the name under which the template asks for it. */
export function tablesOf({ lines, reports, calibrations }: Results): Record<string, string> {
  const groupOf = new Map(reports.map(({ set }) => [set.name, set.group]))
  const ofGroup = (group: string) =>
    lines.filter(({ set, target }) => (isOfLanguage(target.name) ? 'language' : groupOf.get(set)) === group)
  return {
    summary: summaryOf(lines),
    sentiment: tableOf(ofGroup('sentiment')),
    intents: tableOf(ofGroup('intents')),
    relevance: tableOf(ofGroup('relevance')),
    automated: tableOf(ofGroup('automated')),
    language: tableOf(ofGroup('language')),
    mappings: reports.map(({ set }) => `- \`${set.name}\`: ${set.mapping}.`).join('\n'),
    confusions: confusionsOf(reports),
    errors: errorsOf(reports),
    calibration: calibrations.map(calibrationTable).join('\n\n'),
  }
}

/**
 * The document: the template with its tables. @throws Error when it asks for a table that there is not, or leaves one
 * out
 */
export function documentOf(template: string, tables: Readonly<Record<string, string>>): string {
  const asked = new Set([...template.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!))
  const strange = [...asked].filter((name) => tables[name] === undefined)
  const forgotten = Object.keys(tables).filter((name) => !asked.has(name))
  if (strange.length + forgotten.length > 0)
    throw new Error(
      `the template asks for ${strange.join(', ') || 'nothing strange'} and leaves out ` +
        `${forgotten.join(', ') || 'nothing'}`,
    )
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => tables[name]!)
}

function isOfLanguage(name: string): boolean {
  return name.startsWith('language')
}

function summaryOf(lines: readonly Line[]): string {
  const asked = lines.filter(({ reached }) => reached !== null)
  const count = (some: readonly Line[]) => {
    const at = (level: Line['reached']) => some.filter(({ reached }) => reached === level).length
    return `${at('stretch')} at "stretch", ${at('must')} at "must", ${at('short')} short of it`
  }
  const [trained, unseen] = [
    asked.filter(({ set }) => TRAINED_SETS.has(set)),
    asked.filter(({ set }) => !TRAINED_SETS.has(set)),
  ]
  return (
    `- Figures of sets that train (${trained.length}): ${count(trained)}.\n- Figures of sets that never train ` +
    `(${unseen.length}): ${count(unseen)}.`
  )
}

const MARK_OF = { stretch: 'stretch', must: 'must', short: 'short' } as const

function tableOf(lines: readonly Line[]): string {
  const head =
    '| set | rows | figure | this model | 95 % interval | must / stretch | | others |\n| --- | ---: | --- | ---: ' +
    '| ---: | ---: | --- | --- |'
  const body = lines.map(({ set, target, rows, value, interval, reached }) => {
    const asked = target.must === undefined ? '' : `${target.must} / ${target.stretch}`
    return (
      `| ${set}${TRAINED_SETS.has(set) ? ' †' : ''} | ${rows} | ${target.name} | ${value} | ` +
      `${interval.join(' to ')} | ${asked} | ${reached === null ? '' : MARK_OF[reached]} | ${target.peers ?? ''} |`
    )
  })
  return [head, ...body].join('\n')
}

const CONFUSIONS = [
  ['tweeteval_sentiment', 'sentiment'],
  ['umsab_multilingual', 'sentiment'],
  ['tweet_extraction', 'sentiment'],
  ['goemotions', 'sentiment'],
  ['airline', 'sentiment'],
  ['se_github', 'sentiment'],
  ['twitter_entity', 'label'],
  ['appreviews_gplay8000', 'label'],
  ['github_issues_nlbse24', 'label'],
  ['weak_intents', 'label'],
] as const

/** A row for what was wanted, a column for what was given. */
function confusionsOf(reports: readonly SetReport[]): string {
  return CONFUSIONS.flatMap(([name, field]) => {
    const report = reports.find(({ set }) => set.name === name)
    if (report === undefined) return []
    const pairs = report.rows.flatMap((row, at) =>
      typeof row[field] === 'string' ? [{ wanted: row[field], given: String(report.predictions[at]![field]) }] : [],
    )
    const labels = [...new Set(pairs.map(({ wanted }) => wanted))].sort()
    const rows = labels.map((wanted) => {
      const counts = labels.map(
        (given) => pairs.filter((pair) => pair.wanted === wanted && pair.given === given).length,
      )
      return `| **${wanted}** | ${counts.join(' | ')} |`
    })
    return [
      `\`${name}\`:\n\n| | ${labels.join(' | ')} |\n| --- |${' ---: |'.repeat(labels.length)}\n${rows.join('\n')}`,
    ]
  }).join('\n\n')
}

/** Where the errors of sentiment stand, for every set that has sentiments as labels. */
function errorsOf(reports: readonly SetReport[]): string {
  const head =
    '| set | rows | right, % | expected calibration error, % | errors among the least sure 30 %, % | 70 %, % |\n| ' +
    '--- | ---: | ---: | ---: | ---: | ---: |'
  const body = reports.flatMap(({ set, rows, predictions, confidences }) => {
    const judged = rows.flatMap((row, at) => {
      const wanted = row.sentiment ?? row.label
      return set.group === 'sentiment' && confidences.length > 0 && SENTIMENTS.some((item) => item === wanted)
        ? [{ confidence: confidences[at]!, right: predictions[at]!.sentiment === wanted }]
        : []
    })
    if (judged.length === 0) return []
    const { error, errorsInUncertain } = calibrationOf(judged)
    const right = ((100 * judged.filter((item) => item.right).length) / judged.length).toFixed(2)
    return [
      `| ${set.name}${TRAINED_SETS.has(set.name) ? ' †' : ''} | ${judged.length} | ${right} | ${error} | ` +
        `${errorsInUncertain.thirty} | ${errorsInUncertain.seventy} |`,
    ]
  })
  return [head, ...body].join('\n')
}

function calibrationTable({ set, field, calibration }: Results['calibrations'][number]): string {
  const rows = calibration.bins.map(({ count, right, sure }, at) => {
    const share = (sum: number) => (count === 0 ? '' : ((100 * sum) / count).toFixed(1))
    return `| ${at / 10} to ${(at + 1) / 10} | ${count} | ${share(sure)} | ${share(right)} |`
  })
  return (
    `\`${set}\` (${field}): expected calibration error ${calibration.error} % (5 asked); the 30 % of which it is ` +
    `least sure hold ${calibration.errorsInUncertain.thirty} % of the errors, the 70 % ` +
    `${calibration.errorsInUncertain.seventy} % (60 asked); ${calibration.uncertain} % are uncertain.\n\n| ` +
    `confidence | rows | mean confidence, % | right, % |\n| --- | ---: | ---: | ---: |\n${rows.join('\n')}`
  )
}
