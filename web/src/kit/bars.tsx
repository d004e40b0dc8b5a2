import { clsx } from 'clsx'
import styles from './bars.module.css'
import { formatCount } from './count.tsx'
import { followBy, type Navigate } from './follow.ts'
import { type Tone, toneClass } from './tone.ts'
import { VisuallyHidden } from './visually-hidden.tsx'
import { words } from './words.ts'

interface BarPart {
  value: number
  tone: Tone
}

export interface WeekBar {
  label: string
  /** In the order of the legend; the first stands at the bottom. */
  parts: readonly BarPart[]
  /** Where the bar leads to. */
  href?: string | undefined
}

interface WeekBarsProps {
  bars: readonly WeekBar[]
  legend: readonly { tone: Tone; label: string }[]
  caption: string
  onNavigate?: Navigate | undefined
}

/** Stacked bars over time, with the same figures as a table for screen readers. */
export function WeekBars({ bars, legend, caption, onNavigate }: WeekBarsProps) {
  const most = Math.max(1, ...bars.map(totalOf))
  return (
    <figure className={styles.figure}>
      <div className={styles.chart}>
        {bars.map((bar) => (
          <BarColumn key={bar.label} bar={bar} most={most} title={titleOf(bar, legend)} onNavigate={onNavigate} />
        ))}
      </div>
      <div aria-hidden="true" className={styles.axis}>
        <span>{bars[0]?.label}</span>
        <span>{bars.length > 1 ? bars.at(-1)?.label : null}</span>
      </div>
      <ul aria-hidden="true" className={styles.legend}>
        {legend.map((entry) => (
          <li key={entry.label} className={clsx(styles.entry, toneClass(entry.tone))}>
            {entry.label}
          </li>
        ))}
      </ul>
      <VisuallyHidden as="div">
        <BarTable bars={bars} legend={legend} caption={caption} />
      </VisuallyHidden>
    </figure>
  )
}

interface BarColumnProps {
  bar: WeekBar
  most: number
  title: string
  onNavigate: Navigate | undefined
}

function BarColumn({ bar, most, title, onNavigate }: BarColumnProps) {
  const stack = bar.parts.map((part, index) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: the order of the parts is that of the legend
      key={index}
      className={clsx(styles.part, toneClass(part.tone))}
      style={{ blockSize: `${(part.value / most) * 100}%` }}
    />
  ))
  if (bar.href === undefined) {
    return (
      <div aria-hidden="true" title={title} className={styles.column}>
        {stack}
      </div>
    )
  }
  return (
    <a href={bar.href} aria-label={title} title={title} className={styles.column} onClick={followBy(onNavigate)}>
      {stack}
    </a>
  )
}

function BarTable({ bars, legend, caption }: Pick<WeekBarsProps, 'bars' | 'legend' | 'caption'>) {
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{words.period}</th>
          {legend.map((entry) => (
            <th key={entry.label} scope="col">
              {entry.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.label}>
            <th scope="row">{bar.label}</th>
            {legend.map((entry, index) => (
              <td key={entry.label}>{formatCount(bar.parts[index]?.value ?? 0)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function totalOf(bar: WeekBar): number {
  return bar.parts.reduce((sum, part) => sum + part.value, 0)
}

function titleOf(bar: WeekBar, legend: WeekBarsProps['legend']): string {
  const figures = legend.map((entry, index) => `${entry.label} ${formatCount(bar.parts[index]?.value ?? 0)}`)
  return [bar.label, ...figures].join(' · ')
}
