import type { OfflineJudgement } from '../../../src/classify/offline/judge.ts'
import type { Platform } from '../../../src/domain/platform/platforms.ts'
import { type EvaluatedSet, entity, F1, on } from './set.ts'

const sentiment = ({ verdict, leaning }: OfflineJudgement) => ({ sentiment: verdict.sentiment, score: leaning })
const label = ({ verdict }: OfflineJudgement) => ({ label: verdict.sentiment, sentiment: verdict.sentiment })
const PLAIN = 'sentiment'
const SE_SOURCES: Readonly<Record<string, Platform>> = {
  jira: 'github',
  codereview: 'github',
  so1500: 'stackoverflow',
  api: 'stackoverflow',
  appreviews: 'appstore',
}

export const SENTIMENT_SETS: readonly EvaluatedSet[] = [
  {
    name: 'tweeteval_sentiment',
    group: 'sentiment',
    mapping: PLAIN,
    platformOf: on('x'),
    predict: sentiment,
    targets: [
      {
        path: 'sentiment.macroRecall',
        name: 'macro-recall',
        must: 63.5,
        stretch: 67,
        peers: 'VADER 55.9, wink 57.8, FastText 62.9, BERTweet 73.4',
      },
      { path: 'sentiment.macroF1', name: F1, peers: 'VADER 52.5, wink 54.2, reference LR 62.0' },
    ],
  },
  {
    name: 'umsab_multilingual',
    group: 'sentiment',
    mapping: PLAIN,
    platformOf: on('x'),
    predict: sentiment,
    targets: [
      {
        path: 'sentiment.macroF1',
        name: `${F1}, all languages`,
        must: 56,
        stretch: 60,
        peers: 'wink 41.6, FastText 51.0, reference LR 55.4, XLM-R 64.8',
      },
      {
        path: 'macroF1_en',
        name: 'English',
        must: 63,
        stretch: 66,
        peers: 'wink and others 58.7, FastText 50.9, XLM-R 68.2',
      },
      { path: 'macroF1_de', name: 'German', peers: 'FastText 59.6' },
      { path: 'macroF1_fr', name: 'French', peers: 'FastText 54.8' },
      { path: 'macroF1_it', name: 'Italian', peers: 'FastText 54.7' },
      { path: 'macroF1_pt', name: 'Portuguese', peers: 'FastText 55.1' },
      { path: 'macroF1_es', name: 'Spanish', peers: 'FastText 50.1' },
      { path: 'macroF1_ar', name: 'Arabic', peers: 'FastText 46.0' },
      { path: 'macroF1_hi', name: 'Hindi in Latin letters', peers: 'FastText 37.1' },
    ],
  },
  {
    name: 'twitter_entity',
    group: 'sentiment',
    mapping: 'sentiment toward the entity, which is the keyword; irrelevant = relevance below 40',
    platformOf: on('x'),
    keywordOf: entity,
    predict: ({ verdict }) => ({
      sentiment: verdict.sentiment,
      label: verdict.relevance < 40 ? 'irrelevant' : verdict.sentiment,
      score: verdict.relevance,
    }),
    targets: [
      {
        path: 'sentimentOnly.macroF1',
        name: `${F1} of sentiment`,
        must: 67,
        stretch: 71,
        peers: 'VADER 47.4, AFINN 48.1, reference LR 66.2',
      },
      { path: 'label.macroF1', name: `${F1} with irrelevant`, must: 58, stretch: 62, peers: 'reference LR 56.4' },
      { path: 'auc', name: 'AUC of relevant', peers: 'reference LR 77.5' },
    ],
  },
  {
    name: 'brand_emotion_sxsw',
    group: 'sentiment',
    // The named product stands on nearly all rows with a feeling and on hardly any other, so it would give the label
    // away.
    mapping: 'sentiment; the product that the set names is not used',
    platformOf: on('x'),
    predict: sentiment,
    targets: [
      { path: 'sentiment.macroF1', name: F1, must: 60, stretch: 64, peers: 'VADER 45.7, wink 47.3, reference LR 56.2' },
    ],
  },
  {
    name: 'apple_dfe',
    group: 'sentiment',
    mapping: 'sentiment toward Apple; not_relevant left out',
    platformOf: on('x'),
    keywordOf: entity,
    predict: label,
    targets: [
      {
        path: 'sentimentOnly.macroF1',
        name: F1,
        must: 67,
        stretch: 71,
        peers: 'VADER 50.5, wink 49.5, reference LR 67.0',
      },
    ],
  },
  {
    name: 'sanders',
    group: 'sentiment',
    mapping: 'sentiment toward the entity; irrelevant left out',
    platformOf: on('x'),
    keywordOf: entity,
    predict: label,
    targets: [
      { path: 'sentimentOnly.macroF1', name: F1, peers: 'VADER 51.6, wink 54.3, reference LR trained elsewhere 58.8' },
    ],
  },
  {
    name: 'airline',
    group: 'sentiment',
    mapping: PLAIN,
    platformOf: on('x'),
    predict: sentiment,
    targets: [
      {
        path: 'sentiment.macroF1',
        name: F1,
        must: 66,
        stretch: 72,
        peers: 'VADER 50.3, wink 51.8, reference LR trained elsewhere 63.6',
      },
    ],
  },
  {
    name: 'tweet_extraction',
    group: 'sentiment',
    mapping: PLAIN,
    platformOf: on('x'),
    predict: sentiment,
    targets: [
      {
        path: 'sentiment.macroF1',
        name: F1,
        must: 73,
        stretch: 76,
        peers: 'VADER 62.8, AFINN 65.8, reference LR 73.3',
      },
    ],
  },
  {
    name: 'goemotions',
    group: 'sentiment',
    mapping: 'sentiment; ambiguous rows left out',
    platformOf: on('reddit'),
    predict: sentiment,
    targets: [
      { path: 'sentiment.macroF1', name: F1, must: 71, stretch: 74, peers: 'VADER 62.4, wink 62.0, reference LR 71.1' },
    ],
  },
  {
    name: 'vader_tweets',
    group: 'sentiment',
    mapping: 'sentiment; the score is the probability of positive less that of negative',
    platformOf: on('x'),
    predict: sentiment,
    targets: [
      { path: 'pearson', name: 'r', must: 0.87, stretch: 0.9, peers: 'VADER .865, wink .759' },
      { path: 'sentiment.macroF1', name: F1, must: 73, stretch: 76, peers: 'VADER 69.5, reference LR 71.1' },
    ],
  },
  {
    name: 'vader_amazon',
    group: 'sentiment',
    mapping: 'as vader_tweets',
    platformOf: on('trustpilot'),
    predict: sentiment,
    targets: [
      { path: 'pearson', name: 'r', peers: 'VADER .552, wink .554' },
      { path: 'sentiment.macroF1', name: F1, peers: 'VADER 52.6, wink 54.1, reference LR 62.2' },
    ],
  },
  {
    name: 'vader_nyt',
    group: 'sentiment',
    mapping: 'as vader_tweets',
    platformOf: on('news'),
    predict: sentiment,
    targets: [
      { path: 'pearson', name: 'r', peers: 'VADER .493, wink .442' },
      { path: 'sentiment.macroF1', name: F1, peers: 'VADER 54.9, wink 54.2, reference LR 57.2' },
    ],
  },
  {
    name: 'se_stackoverflow',
    group: 'sentiment',
    mapping: PLAIN,
    platformOf: on('stackoverflow'),
    predict: sentiment,
    targets: [
      {
        path: 'sentiment.macroF1',
        name: F1,
        must: 80,
        stretch: 84,
        peers: 'VADER 72.6, AFINN 73.5, reference LR 84.3, Senti4SD about 87',
      },
    ],
  },
  {
    name: 'se_github',
    group: 'sentiment',
    mapping: PLAIN,
    platformOf: on('github'),
    predict: sentiment,
    targets: [
      {
        path: 'sentiment.macroF1',
        name: F1,
        must: 84,
        stretch: 89,
        peers: 'VADER 55.8, wink 65.2, reference LR 86.3, BERT 93',
      },
    ],
  },
  {
    name: 'se_misc',
    group: 'sentiment',
    mapping: PLAIN,
    platformOf: (row) => SE_SOURCES[String(row.source)] ?? 'stackoverflow',
    predict: sentiment,
    targets: [
      { path: 'sentiment.macroF1', name: F1, peers: 'VADER 56.2, wink 57.5, reference LR trained elsewhere 65.0' },
    ],
  },
  {
    name: 'reviews_stars',
    group: 'sentiment',
    mapping: 'sentiment from the text alone, against the stars; in the product the stars decide',
    platformOf: (row) => row.platform as Platform,
    keywordOf: (row) => ({ term: String(row.app) }),
    predict: sentiment,
    targets: [
      {
        path: 'sentiment.macroF1',
        name: F1,
        must: 56,
        stretch: 62,
        peers: 'VADER 44.9, wink 47.1, reference LR trained elsewhere 53.4',
      },
    ],
  },
  {
    name: 'tweeteval_stance',
    group: 'sentiment',
    mapping: 'favor = positive, against = negative, none = neutral; the target is the keyword',
    platformOf: on('x'),
    keywordOf: (row) => ({ term: String(row.target), kind: 'topic' }),
    predict: ({ verdict }) => ({
      stance: { positive: 'favor', negative: 'against', neutral: 'none' }[verdict.sentiment],
    }),
    targets: [{ path: 'stance.macroF1', name: F1, peers: 'a stance is no sentiment: trained models reach 65 to 71' }],
  },
  {
    name: 'tweeteval_irony',
    group: 'sentiment',
    mapping: 'a verdict says nothing of irony: always non_irony',
    platformOf: on('x'),
    predict: () => ({ irony: 'non_irony' }),
    targets: [{ path: 'irony.perClass.irony.f1', name: 'F1 of irony', peers: 'trained models 58 to 82' }],
  },
  {
    name: 'tweeteval_emotion',
    group: 'sentiment',
    mapping: 'a verdict names no emotion: positive = joy, else anger',
    platformOf: on('x'),
    predict: ({ verdict }) => ({ emotion: verdict.sentiment === 'positive' ? 'joy' : 'anger' }),
    targets: [{ path: 'emotion.macroF1', name: F1, peers: 'trained models 65 to 79' }],
  },
]
