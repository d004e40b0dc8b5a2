import { numbered } from '../kernel/figures.ts'
import { toId } from '../kernel/ids.ts'
import { UNITS_PER_CENT } from '../kernel/money.ts'
import { type Difference, type LedgerCheck, verifyLedger } from '../queries/wallet/verify-ledger.ts'
import { openInstallation } from './installation.ts'

/** Differences printed in full; of further ones only the number. */
const SHOWN = 200

/** Recomputes every workspace's money and prints differences, with exit code 1 if there are any. */
export async function verify(): Promise<void> {
  const { services, close } = await openInstallation('command')
  try {
    const { workspaces, entries, differences } = await verifyLedger(services.db, {
      metered: services.billing === 'metered',
    })
    console.log(
      `Looked at ${numbered(entries, 'ledger entry', 'ledger entries')} of ` + `${numbered(workspaces, 'workspace')}.`,
    )
    if (differences.length === 0) console.log('Everything adds up.')
    else printDifferences(differences)
  } finally {
    await close()
  }
}

function printDifferences(differences: readonly Difference[]): void {
  for (const difference of differences.slice(0, SHOWN)) console.log(describeDifference(difference))
  if (differences.length > SHOWN) console.log(`And ${differences.length - SHOWN} more.`)
  console.log(`${numbered(differences.length, 'difference')}. Nothing was changed.`)
  process.exitCode = 1
}

/** One line. */
export function describeDifference({ check, workspace, day, keyword, entryId, expected, found }: Difference): string {
  const { says, counts } = SAYINGS[check]
  const places = [
    `${plain(workspace.name)} (${toId('org', workspace.id)})`,
    day,
    keyword &&
      (keyword.term === null ? toId('kw', keyword.id) : `keyword ${plain(keyword.term)} (${toId('kw', keyword.id)})`),
    entryId && `entry ${toId('led', entryId)}`,
  ]
  const show = counts ? String : cents
  const amounts = `${show(found)} instead of ${show(expected)}, off by ${show(found - expected)}`
  return `${places.filter((place) => place !== null).join(', ')}: ${says}: ${amounts}.`
}

interface Saying {
  says: string
  /** Whether figures are counts instead of amounts. */
  counts?: true
}

const SAYINGS: Readonly<Record<LedgerCheck, Saying>> = {
  balance: { says: 'the balance is not the sum of the ledger' },
  postings: { says: 'an entry is not what was posted for it' },
  chain: {
    says: 'the balances of the ledger do not follow from each other; so many entries begin where this many end',
    counts: true,
  },
  sign: { says: 'an entry has the wrong sign' },
  'keyword-days': { says: 'what was debited for keywords is not what was charged' },
  'keyword-day-count': { says: 'keywords were debited that were not charged, or the other way round', counts: true },
  'keyword-day-price': { says: 'a keyword was not charged at the list price' },
  'keyword-day-owner': { says: 'a keyword was charged on a day on which it did not exist' },
  'keyword-day-settled': { says: 'keywords were charged, but the run of the day did not take place' },
  mentions: { says: 'what was debited for mentions is not what was charged' },
  'mention-count': { says: 'mentions were debited that were not billed, or the other way round', counts: true },
  'mention-overcharged': { says: 'more was charged for mentions than the list price of those billed' },
  'mention-undercharged': {
    says: 'less was charged for mentions than the list price of those billed, as on a day on which BILLING was changed',
  },
  'billed-unscored': { says: 'more mentions were billed than scored', counts: true },
  'billed-twice': { says: 'more mentions were billed than there were matches to bill', counts: true },
  'not-billed': { says: 'since that day mentions were scored and not billed', counts: true },
}

/** Exact: cents and remaining thirtieths. */
function cents(amount: number): string {
  const [whole, rest] = [Math.floor(Math.abs(amount) / UNITS_PER_CENT), Math.abs(amount) % UNITS_PER_CENT]
  const parts = [whole > 0 || rest === 0 ? String(whole) : null, rest > 0 ? `${rest}/${UNITS_PER_CENT}` : null]
  return `${amount < 0 ? '-' : ''}${parts.filter((part) => part !== null).join(' ')} cents`
}

/** Names come from outside and must not move the cursor. */
function plain(text: string): string {
  return text.replace(/[^\x20-\x7e\u00a0-\uffff]/g, ' ')
}
