import { createAlert } from '../../src/commands/alerts/create-alert.ts'
import { createChannel } from '../../src/commands/channels/create-channel.ts'
import { createView } from '../../src/commands/views/create-view.ts'
import type { Verdict } from '../../src/domain/mention/classification.ts'
import type { Post } from '../../src/domain/post/post.ts'
import { MONEY } from '../../src/domain/source/money.ts'
import { HOUR_MS, MINUTE_MS, plus, SECOND_MS } from '../../src/kernel/clock.ts'
import { toId } from '../../src/kernel/ids.ts'
import { suppress } from '../../src/store/channel/suppressions.ts'
import { noteFailure, notePoll } from '../../src/store/source/source-state.ts'
import { makeMailChannel } from '../mail-channel.ts'
import { makeKeyword, mention, score } from '../mentions.ts'
import { changeKeyword, changeMention, makeAttentionItem, makeDelivery, makeSpending } from '../rows.ts'
import { accepted, stored, type TestWorkspace, type World } from '../world.ts'

/** Ids of what a seed made, by the names of the parameters in addresses. */
export type Seeded = Readonly<Record<string, string>>

/** Fills a workspace with what pages show. */
export type Seed = (world: World, workspace: TestWorkspace) => Promise<Seeded>

/** A workspace as its first person finds it. */
export const nothing: Seed = async () => ({})

interface Scene {
  post: Partial<Post>
  verdict: Partial<Verdict>
}

const SCENES: readonly Scene[] = [
  {
    post: { text: 'Which kettle keeps the water hot for an hour? Somebody named the Northlight.', platform: 'reddit' },
    verdict: { relevance: 92, intents: ['question'], note: 'It asks for a kettle and names the brand.' },
  },
  {
    post: { text: 'My Northlight kettle leaks after two weeks and nobody answers my mails.' },
    verdict: { relevance: 88, sentiment: 'negative', intents: ['complaint'], note: 'It complains about a leak.' },
  },
  {
    post: { text: 'The Northlight is the best kettle that we had so far.', platform: 'x' },
    verdict: { relevance: 74, sentiment: 'positive', intents: ['praise'], note: 'It praises the kettle.' },
  },
  {
    post: { text: 'We saw the northern light last night, and it was green all over.', title: 'A night in the north' },
    verdict: { relevance: 6, intents: [], confidence: 0.55, note: 'It is about the sky.' },
  },
  {
    post: {
      title: '<script>document.title = "taken"</script> Northlight \u202Eodd\u202C',
      text: `<img src=x onerror="document.title='taken'"> Northlight ${'a\u0301\u0302\u0303'.repeat(40)} ${'w'.repeat(3000)}`,
      links: ['javascript:document.title="taken"', 'https://example.com/a?b=c'],
      platform: 'github',
    },
    verdict: {
      relevance: 100,
      sentiment: 'negative',
      intents: ['bug_report', 'complaint', 'question', 'churn_intent', 'comparison'],
      note: 'It is hostile.',
    },
  },
]

/** A workspace in use: a keyword, mentions of several kinds, a rule, a channel with deliveries, and an attention item. */
export const busy: Seed = async (world, workspace) => {
  const keyword = await makeKeyword(workspace, { term: 'Northlight' })
  const mentions = []
  for (const [number, { post, verdict }] of SCENES.entries()) {
    const at = plus(world.clock.now(), -number * MINUTE_MS)
    const made = await mention(
      world,
      keyword,
      { url: `https://posts.example/${number}`, ...post, publishedAt: at },
      { at },
    )
    await score(world, [made], verdict, { at })
    mentions.push(made.mentionId)
  }
  await changeMention(world, mentions[2]!, { status: 'done', triageNote: 'Thanked.' })
  const data = { keyword: { id: keyword.shown.id, term: 'Northlight' }, scored: 20, relevant: 1 }
  const about = { kind: 'keyword.noisy', subjectId: keyword.uuid, data, at: world.clock.now() }
  const item = await makeAttentionItem(world, workspace.workspaceId, about)
  return {
    keyword: keyword.shown.id,
    mention: toId('mtn', mentions[0]!),
    item: toId('att', item),
    ...(await sending(world, workspace)),
  }
}

async function sending(world: World, workspace: TestWorkspace): Promise<Seeded> {
  const channel = accepted(await createChannel(workspace, { kind: 'webhook', url: 'https://receiver.example/hook' }))
  const channelId = stored('dest', channel.id)
  const alert = accepted(
    await createAlert(workspace, {
      name: 'Complaints',
      mode: 'instant',
      event: 'mention.matched',
      filter: { intents: ['complaint'] },
      channelIds: [channelId],
      enabled: true,
    }),
  )
  const view = accepted(await createView(workspace, { name: 'Questions', filter: { intents: ['question'] } }))
  const at = world.clock.now()
  await makeDelivery(world, workspace.workspaceId, channelId, { status: 'delivered', attempts: 1, at, sentAt: at })
  const failed = { status: 'failed', attempts: 5, error: 'The receiver answered 500.', at }
  const delivery = await makeDelivery(world, workspace.workspaceId, channelId, failed)
  return { channel: channel.id, alert: alert.id, view: view.id, delivery: toId('dlv', delivery) }
}

/** A workspace with an e-mail channel of which one recipient bounced and one reported spam. */
export const refusing: Seed = async (world, workspace) => {
  const [bounced, complained] = ['gone@example.com', `${'long-name.'.repeat(6)}@example.com`]
  await makeMailChannel(
    workspace,
    [bounced!, complained!].map((email) => ({ email, confirmedAt: null })),
  )
  const at = world.clock.now()
  await world.db.transaction(async (tx) => {
    await suppress(tx, [bounced!], 'bounce', at)
    await suppress(tx, [complained!], 'complaint', at)
  })
  return {}
}

/** A workspace in use with delays, on an installation with one failing platform and two that have counted their use. */
export const collected: Seed = async (world, workspace) => {
  const seeded = await busy(world, workspace)
  const at = world.clock.now()
  await world.db.transaction(async (tx) => {
    await notePoll(tx, 'hackernews', 12, at, plus(at, -40 * SECOND_MS))
    for (const _ of Array(3)) await noteFailure(tx, 'github', 'unavailable: connect ECONNREFUSED', at)
  })
  const [onBluesky] = (await workspace.api('GET', '/v1/mentions?platforms=bluesky')).body.data
  // Posts from before the keyword collected have no delay.
  await changeKeyword(world, stored('kw', seeded['keyword']!), { createdAt: plus(at, -HOUR_MS) })
  await makeDelivery(world, workspace.workspaceId, stored('dest', seeded['channel']!), {
    ...{ kind: 'mention', event: 'mention.matched', status: 'delivered', at, sentAt: plus(at, 4 * SECOND_MS) },
    mentionId: stored('mtn', onBluesky.id),
  })
  await makeSpending(world, { platform: 'stackoverflow', quota: 'requests', spent: 120, at })
  await makeSpending(world, { platform: 'devto', quota: MONEY, spent: 1_250_000, at })
  return seeded
}
