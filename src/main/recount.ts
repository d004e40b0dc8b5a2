import { systemClock } from '../kernel/clock.ts'
import { toId } from '../kernel/ids.ts'
import { type CountDifference, recountKeywords } from '../queries/keywords/recount-keywords.ts'
import { openInstallation } from './installation.ts'

/** Recounts the statistics of every keyword and prints differences, with exit code 1 if there are any. */
export async function recount(): Promise<void> {
  const { services, close } = await openInstallation('command')
  try {
    const { keywords, differences, off } = await recountKeywords(services.db, systemClock.now())
    console.log(`Counted ${keywords} ${keywords === 1 ? 'keyword' : 'keywords'} anew.`)
    if (off === 0) {
      console.log('All counts are correct.')
      return
    }
    for (const difference of differences) console.log(describeCount(difference))
    if (off > differences.length) console.log(`And ${off - differences.length} more.`)
    console.log(`${off} ${off === 1 ? 'count is' : 'counts are'} off. Nothing was changed.`)
    process.exitCode = 1
  } finally {
    await close()
  }
}

/** One line. Names come from outside and must not move the cursor. */
export function describeCount({
  workspace,
  workspaceId,
  term,
  keywordId,
  count,
  day,
  kept,
  counted,
}: CountDifference): string {
  const plain = (text: string) => text.replace(/[^\x20-\x7e\u00a0-\uffff]/g, ' ')
  const place = `${plain(workspace)} (${toId('org', workspaceId)}), keyword ${plain(term)} (${toId('kw', keywordId)})`
  return (
    `${place}, ${count}${day === null ? '' : ` of ${day}`}: ${kept} instead of ${counted}, off by ` +
    `${kept - counted}.`
  )
}
