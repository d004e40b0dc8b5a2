import { INTENTS } from '../../src/domain/mention/classification.ts'
import { type PLATFORMS, platformNumber } from '../../src/domain/platform/platforms.ts'
import { DAY_MS } from '../../src/kernel/clock.ts'
import { type Database, sql } from '../../src/store/database.ts'

/** The posts of the store are of so many days. */
export const SPAN_DAYS = 365

/**
 * What is random here follows from the number of the mention and a salt, so that two runs fill the same store. Ranks
 * are spread as words are: the value of rank r about 1/r as often as the first.
 */
export async function makeFunctions(db: Database, end: Date): Promise<void> {
  for (const [head, body] of [...numberFunctions(end), ...valueFunctions()])
    await db.query(sql.raw(`create function ${head} immutable parallel safe language sql as $$ select ${body} $$`))
}

type SqlFunction = [head: string, body: string]

function numberFunctions(end: Date): SqlFunction[] {
  const ms = `${end.getTime()} - ${SPAN_DAYS * DAY_MS}::bigint * (among - n) / among`
  return [
    ['bench_unit(n bigint, salt int) returns float8', '(hashint8extended(n, salt) & 1048575) / 1048576.0'],
    ['bench_zipf(u float8, among int) returns int', 'least(among - 1, floor(exp(u * ln(among + 1.0)))::int - 1)'],
    [
      'bench_id(n bigint, among bigint, salt int) returns uuid',
      `(lpad(to_hex(${ms}), 12, '0') || '7' || lpad(to_hex(n & 4095), 3, '0') || '8'
        || right(to_hex(hashint8extended(n, salt) | (1::bigint << 62)), 15))::uuid`,
    ],
    ['bench_count(u float8, scale int) returns int', 'floor(scale * (power(1 - u + 1e-6, -0.8) - 1))::int'],
  ]
}

function valueFunctions(): SqlFunction[] {
  return [
    ['bench_platform(u float8) returns smallint', `${spread(PLATFORM_SHARES, place('x'))}::smallint`],
    ['bench_language(u float8) returns text', spread(LANGUAGE_SHARES, "'en'")],
    ['bench_intents(u float8) returns int', spread(INTENT_SHARES, '0')],
  ]
}

type Shares = readonly [below: number, value: string][]

function spread(shares: Shares, rest: string): string {
  return `case ${shares.map(([below, value]) => `when u < ${below} then ${value}`).join(' ')} else ${rest} end`
}

function place(name: (typeof PLATFORMS)[number]): string {
  return String(platformNumber(name))
}

function bit(name: (typeof INTENTS)[number]): string {
  return String(1 << INTENTS.indexOf(name))
}

const PLATFORM_SHARES: Shares = [
  [0.00005, place('instagram')],
  [0.001, place('devto')],
  [0.01, place('stackoverflow')],
  [0.03, place('hackernews')],
  [0.06, place('github')],
  [0.1, place('linkedin')],
  [0.15, place('youtube')],
  [0.2, place('appstore')],
  [0.25, place('googleplay')],
  [0.35, place('news')],
  [0.5, place('bluesky')],
  [0.7, place('reddit')],
]
const LANGUAGE_SHARES: Shares = [
  [0.00005, "'sw'"],
  [0.0005, "'is'"],
  [0.005, "'fi'"],
  [0.02, "'ja'"],
  [0.05, "'zh'"],
  [0.1, "'de'"],
  [0.18, "'es'"],
  [0.25, 'null'],
]
const INTENT_SHARES: Shares = [
  [0.00005, bit('hiring')],
  [0.001, bit('churn_intent')],
  [0.01, bit('bug_report')],
  [0.03, bit('buy_intent')],
  [0.06, bit('comparison')],
  [0.12, bit('complaint')],
  [0.2, bit('praise')],
  [0.3, bit('question')],
  [0.45, bit('promotional')],
]
