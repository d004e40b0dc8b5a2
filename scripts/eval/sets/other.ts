import { type EvaluatedSet, on } from './set.ts'

/** Sets of who wrote a post, and in which language. */
export const OTHER_SETS: readonly EvaluatedSet[] = [
  {
    name: 'tweepfake_bot',
    group: 'automated',
    mapping: 'bot = automated, from the text alone',
    platformOf: on('x'),
    predict: ({ verdict }) => ({ bot: verdict.automated }),
    targets: [
      {
        path: 'bot.accuracy',
        name: 'accuracy',
        must: 79,
        stretch: 84,
        peers: 'trained on it: reference LR 78.0, RoBERTa 89.6',
      },
    ],
  },
  {
    name: 'langid',
    group: 'language',
    mapping: 'language; tweets on X, sentences as news',
    platformOf: (row) => (row.source === 'eld-tweets' ? 'x' : 'news'),
    predict: ({ verdict }) => ({ lang: verdict.language }),
    targets: [
      {
        path: 'eld-tweets.accuracy',
        name: 'tweets, 6 languages',
        must: 99.5,
        stretch: 99.8,
        peers: 'eld-L 99.9, tinyld 87.7, franc-min 89.5',
      },
      {
        path: 'lingua-sentences.accuracy',
        name: 'sentences, 75 languages',
        peers: 'eld-L 71.8, tinyld 64.9, franc 77.5',
      },
    ],
  },
]
