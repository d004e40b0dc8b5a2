import type { OfflineJudgement } from '../../../src/classify/offline/judge.ts'
import { type EvaluatedSet, F1, LOOM, on } from './set.ts'

const relevant = ({ verdict }: OfflineJudgement) => ({ relevant: verdict.relevance >= 40, score: verdict.relevance })

export const RELEVANCE_SETS: readonly EvaluatedSet[] = [
  {
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
  },
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
