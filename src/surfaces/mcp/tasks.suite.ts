import { makeKeyword, mention, score } from '../../../test/mentions.ts'
import { foldPeople } from '../../commands/people/fold-people.ts'
import { callOf, type ToolWorld } from './calling.suite.ts'
import { CORE_TOOLS } from './core.ts'
import { CALL_READ, CALL_WRITE, FIND } from './guides.ts'

/** Ids that earlier steps of a task found, by name. */
type Known = Record<string, string>
// biome-ignore lint/suspicious/noExplicitAny: an answer is read freely; the step knows its shape
type Answer = any

interface Step {
  tool: string
  /** How a model that does not see the tool asks for it. */
  words: string
  args?: (known: Known) => object
  keep?: (answer: Answer) => Known
}

export interface Task {
  says: string
  steps: readonly Step[]
}

function step(tool: string, words: string, args?: Step['args'], keep?: Step['keep']): Step {
  return { tool, words, ...(args && { args }), ...(keep && { keep }) }
}

const firstId = (name: string) => (answer: Answer) => ({ [name]: answer.data[0].id as string })
const keyword = step('list_keywords', 'list keywords', undefined, firstId('keyword'))
const found = step(
  'search_mentions',
  'search mentions',
  () => ({ limit: 1, includeMuted: true }),
  (answer) => ({
    mention: answer.data[0].id,
    person: answer.data[0].author.personId,
  }),
)
const alert = step('list_alerts', 'list alerts', undefined, firstId('alert'))
const channel = step('list_channels', 'list channels', undefined, firstId('channel'))

/** What people ask an agent for, and the calls that do it. */
export const TASKS: readonly Task[] = [
  {
    says: 'What are people complaining about this week?',
    steps: [
      step('search_mentions', 'search mentions', () => ({ intents: ['complaint'], since: '2026-11-13', limit: 20 })),
    ],
  },
  {
    says: 'How many negative mentions did we get in the last month?',
    steps: [step('count_mentions', 'count mentions', () => ({ sentiments: ['negative'] }))],
  },
  {
    says: 'Is sentiment getting better or worse?',
    steps: [step('get_analytics_series', 'series of sentiment over time', () => ({ by: 'sentiment' }))],
  },
  {
    says: 'Which platform do most mentions come from?',
    steps: [step('get_analytics_breakdown', 'breakdown by platform', () => ({ by: 'platform' }))],
  },
  {
    says: 'Give me the numbers of the last 30 days.',
    steps: [step('get_analytics_summary', 'summary of the numbers')],
  },
  {
    says: 'How do we compare with our competitors?',
    steps: [step('get_share_of_voice', 'share of voice against competitors')],
  },
  {
    says: 'What do reviews say by version?',
    steps: [step('get_review_analytics', 'analytics of reviews by app version')],
  },
  {
    says: 'Find what people say of the word kettle right now.',
    steps: [step('search_platforms', 'search platforms now', () => ({ query: 'kettle' }))],
  },
  {
    says: 'Mark the newest mention as done.',
    steps: [
      found,
      step('update_mention', 'mark a mention as done', ({ mention }) => ({ id: mention, status: 'done' })),
    ],
  },
  {
    says: 'This mention is not relevant.',
    steps: [
      found,
      step('update_mention', 'feedback on a mention', ({ mention }) => ({
        id: mention,
        relevant: false,
      })),
    ],
  },
  {
    says: 'Ignore these two mentions.',
    steps: [
      found,
      step('update_mentions', 'update several mentions', ({ mention }) => ({
        ids: [mention],
        status: 'ignored',
      })),
    ],
  },
  {
    says: 'Who changed this mention?',
    steps: [found, step('list_mention_changes', 'history of changes of a mention', ({ mention }) => ({ id: mention }))],
  },
  {
    says: 'Why did this post match?',
    steps: [
      keyword,
      step('explain_keyword', 'explain why a post matches', ({ keyword }) => ({
        id: keyword,
        text: 'The Northlight is great',
      })),
    ],
  },
  {
    says: 'Which keyword makes noise?',
    steps: [keyword, step('get_keyword_health', 'health of a keyword', ({ keyword }) => ({ id: keyword }))],
  },
  {
    says: 'How could I make this keyword better?',
    steps: [keyword, step('list_keyword_suggestions', 'suggestions for a keyword', ({ keyword }) => ({ id: keyword }))],
  },
  {
    says: 'What was dropped by my rules?',
    steps: [keyword, step('list_rejected', 'posts that were rejected', ({ keyword }) => ({ id: keyword }))],
  },
  {
    says: 'Do not match posts about the sky.',
    steps: [
      keyword,
      step('update_keyword', 'exclude terms of a keyword', ({ keyword }) => ({
        id: keyword,
        matching: { excludedTerms: ['sky'] },
      })),
    ],
  },
  {
    says: 'Pause this keyword.',
    steps: [keyword, step('update_keyword', 'pause a keyword', ({ keyword }) => ({ id: keyword, muted: true }))],
  },
  {
    says: 'Watch the term Southlight, too.',
    steps: [step('create_keyword', 'create a keyword', () => ({ term: 'Southlight' }))],
  },
  {
    says: 'Delete a keyword.',
    steps: [
      step(
        'create_keyword',
        'create a keyword',
        () => ({ term: 'Eastlight' }),
        (answer) => ({ made: answer.id }),
      ),
      step('delete_keyword', 'delete a keyword', ({ made }) => ({ id: made })),
    ],
  },
  {
    says: 'Mute this author in the noisy rule.',
    steps: [
      alert,
      step('mute_alert_authors', 'mute authors in an alert', ({ alert }) => ({
        id: alert,
        authors: ['@loud.example'],
      })),
    ],
  },
  {
    says: 'Mute this person everywhere.',
    steps: [found, step('update_person', 'mute a person', ({ person }) => ({ id: person, muted: true }))],
  },
  {
    says: 'Tag this person as a customer.',
    steps: [found, step('update_person', 'tag a person', ({ person }) => ({ id: person, tags: ['customer'] }))],
  },
  {
    says: 'Who writes about us most?',
    steps: [step('list_people', 'people with most mentions', () => ({ sort: 'mentions', limit: 5 }))],
  },
  {
    says: 'Tell me about every complaint at once.',
    steps: [
      channel,
      step('create_alert', 'create an alert', ({ channel }) => ({
        name: 'Complaints',
        filter: { intents: ['complaint'] },
        channelIds: [channel],
      })),
    ],
  },
  {
    says: 'What would this rule have sent last week?',
    steps: [
      step('preview_alert', 'preview of an alert rule', () => ({ filter: { sentiments: ['negative'] }, days: 7 })),
    ],
  },
  {
    says: 'Did the webhook get everything?',
    steps: [step('search_deliveries', 'deliveries that failed', () => ({ status: ['failed'] }))],
  },
  {
    says: 'Send a test to the channel.',
    steps: [channel, step('test_channel', 'send a test to a channel', ({ channel }) => ({ id: channel }))],
  },
  { says: 'How long does our balance last?', steps: [step('get_wallet', 'balance of the wallet')] },
  {
    says: 'Which keyword costs most this month?',
    steps: [step('get_usage_breakdown', 'cost by keyword', () => ({ by: 'keyword' }))],
  },
]

/** A workspace in which every task can be done. */
export async function furnish({ world, acme }: ToolWorld): Promise<void> {
  const watched = await makeKeyword(acme, { term: 'Northlight' })
  const made = await mention(world, watched, { text: 'My Northlight leaks, and nobody answers.' })
  await score(world, [made], { relevance: 80, sentiment: 'negative', intents: ['complaint'] })
  await foldPeople(acme)
  for (const prefix of ['dest', 'feed', 'dlv'] as const) await acme.makeOne(prefix)
}

export interface Done {
  /** What a model reads of the task, without the list of tools. */
  bytes: number
  calls: number
  /** The first refusal, or what could not be found; null when all went well. */
  problem: string | null
}

/** Does the task as a client that sees all tools, or the short list alone. */
export async function doTask({ send }: ToolWorld, task: Task, sees: 'all' | 'short'): Promise<Done> {
  const done: Done = { bytes: 0, calls: 0, problem: null }
  const call = async (name: string, args: object): Promise<Answer> => {
    const { body } = await send(callOf(name, args))
    done.calls += 1
    done.bytes += Buffer.byteLength(JSON.stringify(body.result.structuredContent))
    if (body.result.isError) done.problem ??= `${name}: ${body.result.content[0].text}`
    return body.result.structuredContent
  }
  let known: Known = {}
  for (const { tool, words, args = () => ({}), keep } of task.steps) {
    const given = args(known)
    const isListed = sees === 'all' || CORE_TOOLS.has(tool)
    const answer = isListed ? await call(tool, given) : await callFound(call, { tool, words, given })
    if (answer === null) done.problem ??= `${tool} was not found by ${JSON.stringify(words)}`
    if (done.problem !== null) return done
    known = { ...known, ...keep?.(answer) }
  }
  return done
}

async function callFound(
  call: (name: string, args: object) => Promise<Answer>,
  { tool, words, given }: { tool: string; words: string; given: object },
): Promise<Answer> {
  const { data } = await call(FIND, { query: words })
  const operation = (data as { name: string; access: string }[]).find(({ name }) => name === tool)
  if (operation === undefined) return null
  return await call(operation.access === 'read' ? CALL_READ : CALL_WRITE, { name: tool, arguments: given })
}
