import { expect, test } from 'vitest'
import { makeKeyword } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { mentionsLeft } from '../../domain/mention/admission.ts'
import { sql } from '../database.ts'
import { countMatches } from './match-counts.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('a batch is refused exactly when it brings more than the domain says there is room for', async () => {
  const { uuid: keywordId, workspaceId } = await makeKeyword(acme)
  const at = world.clock.now()
  await world.db.query(sql`update workspace set welcome_limits = false where id = ${workspaceId}`)
  for (const month of ['2026-10-01', '2026-11-01', '2026-12-01'])
    for (const monthMentions of [0, 2, 3])
      for (const cap of [null, 0, 2, 3, 4])
        for (const added of [1, 2]) {
          await world.db.query(sql`
            update keyword_counter set month = ${month}, month_mentions = ${monthMentions} where keyword_id = ${keywordId}`)
          await world.db.query(sql`update keyword set cap_own = ${cap} where id = ${keywordId}`)
          const keyword = { workspaceId, keywordId, added, month, capOwn: cap, cap, welcomeLimits: false }
          const match = { keywordId, platform: 'bluesky' as const, publishedAt: at }
          const batch = {
            keywords: [{ ...keyword, pausedForCap: false }],
            matches: Array.from({ length: added }, () => match),
          }
          const counts = await world.db.transaction((tx) => countMatches(tx, batch, { at, metered: true }))
          const left = mentionsLeft({ ...keyword, muted: false, monthMentions }, cap, at)
          expect({ month, monthMentions, cap, added, made: counts !== null }).toEqual({
            ...{ month, monthMentions, cap, added, made: added <= left },
          })
        }
})
