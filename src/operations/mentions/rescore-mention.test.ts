import { beforeEach, expect, test } from 'vitest'
import { makeKeyword, mention, recount, score, type TestKeyword } from '../../../test/mentions.ts'
import { useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import type { NewMention } from '../../commands/mentions/ingest-posts.ts'
import { DAY_MS } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { verifyLedger } from '../../queries/wallet/verify-ledger.ts'
import { WORK_CHANNEL } from '../../store/announcements.ts'
import { sql } from '../../store/database.ts'
import { claimUnscored } from '../../store/model/unscored.ts'

let acme: TestWorkspace
let keyword: TestKeyword
let made = 0
const world = useWorld()
beforeEach(async () => {
  made += 1
  acme = await world.workspace(`Workspace ${made}`)
  keyword = await makeKeyword(acme)
})

const pathOf = ({ mentionId }: NewMention) => `/v1/mentions/${toId('mtn', mentionId)}`
const rescore = (mention: NewMention) => acme.api('POST', `${pathOf(mention)}/rescore`)
const usage = () =>
  world.db.query(sql`select sum(scored)::int as scored, sum(billable)::int as billable, sum(failed)::int as failed,
      sum(mention_units)::int as units from usage_day
    where workspace_id = ${acme.workspaceId}`)

async function failed(): Promise<NewMention> {
  const item = await mention(world, keyword)
  await score(world, [item], null)
  return item
}

test('a failed score is taken back at once, and the next one counts and is charged once', async () => {
  const mention = await failed()
  expect(await usage()).toEqual([{ scored: 0, billable: 0, failed: 1, units: 0 }])
  await world.clock.advance(DAY_MS)
  const { status, body } = await rescore(mention)
  expect([status, body.classification, body.relevant]).toEqual([202, null, false])
  expect(await usage()).toEqual([{ scored: 0, billable: 0, failed: 0, units: 0 }])
  const at = world.clock.now()
  expect(await claimUnscored(world.db, { at, leasedUntil: at, limit: 10, together: 3 })).toContainEqual({
    workspaceId: acme.workspaceId,
    mentionId: mention.mentionId,
    attempts: 1,
  })
  await Promise.all([score(world, [mention]), score(world, [mention])])
  expect((await acme.api('GET', pathOf(mention))).body).toMatchObject({
    relevant: true,
    classification: { relevance: 80, failed: false },
  })
  expect(await usage()).toEqual([{ scored: 1, billable: 1, failed: 0, units: 24 }])
  const { counters } = await recount(world, acme.workspaceId)
  expect(counters.kept).toEqual(counters.counted)
  expect((await verifyLedger(world.db, { metered: true })).differences).toEqual([])
})

test('the scorers hear of it', async () => {
  const mention = await failed()
  const ending = new AbortController()
  const heard = new Promise<string>((resolve) => {
    world.db.listen(
      WORK_CHANNEL,
      (kind) => kind === 'mentions' && resolve(kind),
      () => void rescore(mention),
      ending.signal,
    )
  })
  expect(await heard).toBe('mentions')
  ending.abort()
})

test('a mention that waits goes on waiting, however often it is asked for', async () => {
  const item = await failed()
  const answers = await Promise.all([rescore(item), rescore(item), rescore(item)])
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
  expect(await usage()).toMatchObject([{ failed: 0 }])
  expect((await acme.api('GET', `${pathOf(item)}/changes`)).body.data).toHaveLength(1)
  expect((await rescore(await mention(world, keyword))).status).toBe(202)
})

test('a verdict is kept, of the scorer and of the team', async () => {
  const [scored, marked] = [await mention(world, keyword), await failed()]
  await score(world, [scored], { relevance: 3 })
  await acme.api('PATCH', pathOf(marked), { relevant: true })
  for (const item of [scored, marked]) {
    const { status, body } = await rescore(item)
    expect([status, body.error.code]).toEqual([409, 'already_classified'])
  }
  await acme.api('PATCH', pathOf(marked), { relevant: null })
  expect((await rescore(marked)).status).toBe(202)
})

test('nothing is scored again for a keyword that is muted', async () => {
  const mention = await failed()
  await acme.api('PATCH', `/v1/keywords/${keyword.shown.id}`, { muted: true })
  const { status, body } = await rescore(mention)
  expect([status, body.error.code]).toEqual([409, 'keyword_inactive'])
  expect((await acme.api('GET', pathOf(mention))).body.classification.failed).toBe(true)
})
