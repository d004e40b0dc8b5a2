import type { OfflineJudgement } from '../../../src/classify/offline/judge.ts'
import type { Platform } from '../../../src/domain/platform/platforms.ts'
import { type EvaluatedSet, F1, LOOM, on } from './set.ts'

const relevant = ({ verdict }: OfflineJudgement) => ({ relevant: verdict.relevance >= 40, score: verdict.relevance })

export const RELEVANCE_REDDIT: EvaluatedSet = {
  name: 'relevance_reddit',
  group: 'relevance',
  mapping: 'relevance, above and below 40; terms never seen',
  platformOf: on('reddit'),
  keywordOf: (row) => ({ term: String(row.term), context: String(row.context) }),
  unitOf: (row) => String(row.term),
  predict: relevant,
  targets: [
    { path: 'auc', name: 'AUC', must: 80, stretch: 87, peers: 'word overlap 63.0, reference LR 77.7' },
    {
      path: 'relevant.macroF1',
      name: `${F1} at 40`,
      must: 73,
      stretch: 79,
      peers: 'word overlap 58.9, reference LR 71.4',
    },
  ],
}

/** Mentions of real keywords, as a user sees them. */
export const MENTIONS_GOLD: EvaluatedSet = {
  name: 'mentions_gold',
  group: 'relevance',
  mapping: 'relevance from 70 on = worth reading, below 40 = another sense; sentiment toward the term; intents',
  platformOf: (row) => row.platform as Platform,
  titleOf: (row) => row.title as string | null,
  starsOf: (row) => row.rating as number | null,
  keywordOf: (row) => ({
    term: String(row.term),
    kind: row.kind === 'topic' ? 'topic' : 'brand',
    context: String(row.context),
  }),
  unitOf: (row) => String(row.term),
  predict: ({ verdict }) => ({
    relevant: verdict.relevance >= 40,
    score: verdict.relevance,
    sentiment: verdict.sentiment,
    intents: verdict.intents,
    automated: verdict.automated,
  }),
  targets: [
    { path: 'worthAuc', name: 'AUC of worth reading', must: 86, stretch: 90, peers: 'reference LR 82.1' },
    { path: 'worth.macroF1', name: `${F1} of worth reading, at 70`, must: 77, stretch: 82, peers: 'reference LR 73.7' },
    { path: 'auc', name: 'AUC of another sense', must: 90, stretch: 94, peers: 'reference LR 71.8' },
    { path: 'sentiment.macroF1', name: `${F1} of sentiment`, must: 70, stretch: 75, peers: 'reference LR 64.6' },
    { path: 'intents.microF1', name: 'micro-F1 of intents', must: 60, stretch: 68, peers: 'reference LR 53.5' },
    { path: 'macroF1OfCommonIntents', name: `${F1} of intents with 20 rows`, must: 54, stretch: 62 },
  ],
}

export const RELEVANCE_SETS: readonly EvaluatedSet[] = [
  MENTIONS_GOLD,
  RELEVANCE_REDDIT,
  {
    name: 'relevance_loom',
    group: 'relevance',
    mapping: 'relevance, above and below 40',
    platformOf: (row) => (row.platform === 'hackernews' ? 'hackernews' : 'reddit'),
    keywordOf: (row) => ({ term: String(row.term ?? row.entity ?? 'loom'), context: String(row.context ?? LOOM) }),
    predict: relevant,
    targets: [
      { path: 'auc', name: 'AUC', must: 82, stretch: 90, peers: 'word overlap 76.0, idf cosine 78.3' },
      { path: 'relevant.macroF1', name: `${F1} at 40`, must: 68, stretch: 76, peers: 'idf cosine 63.4' },
    ],
  },
  {
    name: 'apple_fruit',
    group: 'relevance',
    mapping: 'relevance, above and below 40',
    platformOf: on('x'),
    keywordOf: (row) => ({ term: String(row.entity), context: String(row.context) }),
    predict: relevant,
    targets: [{ path: 'auc', name: 'AUC' }],
  },
  {
    name: 'disaster_relevance',
    group: 'relevance',
    mapping: 'relevance to the topic; the keyword is the row’s, without a context',
    platformOf: on('x'),
    keywordOf: (row) => ({ term: String(row.keyword || 'disaster').replaceAll('%20', ' '), kind: 'topic' }),
    predict: relevant,
    targets: [{ path: 'auc', name: 'AUC', peers: 'trained on it: reference LR 83.8' }],
  },
]
