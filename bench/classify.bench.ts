import type { Subject } from '../src/classify/contract.ts'
import { createOfflineClassifier } from '../src/classify/offline/index.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { uuidFromName } from '../src/kernel/ids.ts'
import type { BenchRow } from './contract.ts'

const WORKSPACE = uuidFromName('a workspace')
const OPENINGS = [
  'I love',
  'Does anyone know how to set up',
  'Not happy with',
  'We compared three tools and chose',
  'Show HN: a small client for',
  'Ich bin begeistert von',
  'No funciona',
  'How much is',
]
const MIDDLES = ['acme', 'Acme Cloud', '#acme', 'the acme editor', 'acme on my phone']
const ENDINGS = [
  'and the support team is fantastic, highly recommended for everybody who works with documents all day.',
  'since the last update it crashes every time I open a file, and nobody answers my messages.',
  'für unser kleines Team, leider ist es ziemlich teuer geworden.',
  'because the export was faster than in the others. More at https://example.com/compare',
  'desde ayer, alguien sabe cómo puedo arreglarlo?',
  '#opensource #editor',
]

/** How many texts one thread scores in a second, all heads together, and how long the event loop waits for it. */
export async function run(options: { quick: boolean }): Promise<BenchRow[]> {
  const started = systemClock.monotonicMs()
  const classifier = await createOfflineClassifier()
  const startMs = systemClock.monotonicMs() - started
  const subjects = subjectsOf(options.quick ? 10_000 : 60_000)
  const signal = new AbortController().signal
  await classifier.score(subjects.slice(0, 5000), signal)
  const blocking = watchBlocking()
  const before = systemClock.monotonicMs()
  await classifier.score(subjects, signal)
  const seconds = (systemClock.monotonicMs() - before) / 1000
  const blockedMs = blocking.stop()
  await classifier.close()
  return [
    {
      measure: 'classify: texts a second, one thread, all heads',
      value: Math.round(subjects.length / seconds),
      unit: 'texts/s',
      must: 10_000,
      goal: 60_000,
      note: 'English mixed with German and Spanish; half with a context',
    },
    { measure: 'classify: start', value: Math.round(startMs), unit: 'ms', must: 300, goal: 150 },
    {
      measure: 'classify: event loop held, 99th percentile',
      value: Math.round(10 * blockedMs) / 10,
      unit: 'ms',
      note: 'aim: 5 ms; a smaller figure is better',
    },
  ]
}

function subjectsOf(count: number): Subject[] {
  return Array.from({ length: count }, (_, at) => ({
    post: {
      platform: 'reddit',
      title: at % 4 === 0 ? `Question ${at} about acme` : null,
      text: `${OPENINGS[at % OPENINGS.length]} ${MIDDLES[at % MIDDLES.length]} ${ENDINGS[at % ENDINGS.length]} (${at})`,
      links: [],
      languageHint: null,
      author: null,
      review: null,
    },
    keyword: { term: 'acme', kind: 'brand' },
    keywordContext: at % 2 === 0 ? 'Acme, an editor for documents and its cloud storage for small teams' : null,
    companyContext: null,
    marks: [],
    workspaceId: WORKSPACE,
  }))
}

/** Notes the time between turns of the event loop until stopped; answers its 99th percentile in milliseconds. */
function watchBlocking(): { stop: () => number } {
  const waits: number[] = []
  let last = systemClock.monotonicMs()
  let watching = true
  const look = () => {
    const now = systemClock.monotonicMs()
    waits.push(now - last)
    last = now
    if (watching) setImmediate(look)
  }
  setImmediate(look)
  return {
    stop() {
      watching = false
      waits.sort((a, b) => a - b)
      return waits[Math.floor(waits.length * 0.99)] ?? 0
    },
  }
}
