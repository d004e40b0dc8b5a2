import { keepWords } from '../../store/filter/search-words.ts'
import { writeFacets } from '../../store/mention/mention-facets.ts'
import { takeWordsToRenew } from '../../store/mention/words-to-renew.ts'
import type { Services } from '../writing.ts'
import { authorKeysOfPost, wordsOfPost } from './search-words.ts'

const BATCH = 500

/** Rebuilds the search words of mentions from before an update, in batches; returns how many. */
export async function renewWords({ db, clock }: Pick<Services, 'db' | 'clock'>, batchSize = BATCH): Promise<number> {
  for (let sum = 0; ; ) {
    const count = await db.transaction(async (tx) => {
      const due = await takeWordsToRenew(tx, batchSize)
      if (due === null) return null
      const mentions = due.mentions.map((mention) => ({
        ...mention,
        words: wordsOfPost(mention.post),
        authorKeys: authorKeysOfPost(mention.post),
      }))
      await keepWords(tx, mentions, null)
      await writeFacets(tx, mentions, clock.now())
      return mentions.length
    })
    if (count === null) return sum
    sum += count
  }
}
