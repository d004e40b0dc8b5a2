import { PURPOSES } from '../../src/classify/offline/intents/intents.ts'
import type { Judgement } from '../../src/classify/offline/judge.ts'
import type { Intent } from '../../src/domain/mention/classification.ts'
import type { Platform } from '../../src/domain/platform/platforms.ts'
import type { Row } from '../train/data.ts'

// The file is long because it is the table of every set: where its texts come from, what its labels mean here, and what
// is asked.

/** A figure of a set: what it has to reach, and how others do. */
export interface Target {
  /** Path in the figures, see `figureAt`. */
  path: string
  name: string
  must?: number
  stretch?: number
  /** What others reach, on the holdout unless told otherwise. */
  peers?: string
}

export interface EvaluatedSet {
  name: string
  group: 'sentiment' | 'intents' | 'relevance' | 'automated' | 'language'
  /** What the set's labels were compared with, in words. */
  mapping: string
  platformOf(row: Row): Platform
  /** The keyword of the row; a term that does not stand in the text where the set names none. */
  keywordOf?(row: Row): { term: string; kind?: 'brand' | 'topic'; context?: string }
  /** The stars of five that the row's task may know; the text alone is judged where this is left out. */
  starsOf?(row: Row): number
  /**
   * To what the row belongs where rows of one kind are judged well or badly together; else every row stands for itself.
   */
  unitOf?(row: Row): string
  /** The row's labels as the judgement gives them. */
  predict(judgement: Judgement, row: Row): Record<string, unknown>
  targets: readonly Target[]
}

const on = (platform: Platform) => () => platform
const sentiment = ({ verdict, leaning }: Judgement) => ({ sentiment: verdict.sentiment, score: leaning })
const label = ({ verdict }: Judgement) => ({ label: verdict.sentiment, sentiment: verdict.sentiment })
const has = (judgement: Judgement, intent: Intent) => judgement.verdict.intents.includes(intent)
const evidenceFor = (judgement: Judgement, purpose: Intent | 'none') => judgement.evidence[PURPOSES.indexOf(purpose)]!
const entity = (row: Row) => ({ term: String(row.entity) })
/** The intent of several that has most evidence; `otherwise` when none is given. */
const strongest = (judgement: Judgement, intents: readonly Intent[], otherwise: string | null): string => {
  const best = [...intents].sort((one, other) => evidenceFor(judgement, other) - evidenceFor(judgement, one))[0]!
  return otherwise !== null && evidenceFor(judgement, best) <= 0 ? otherwise : best
}
const flag = (field: string, intent: Intent) => (judgement: Judgement) => ({
  [field]: has(judgement, intent),
  score: evidenceFor(judgement, intent),
})
const relevant = ({ verdict }: Judgement) => ({ relevant: verdict.relevance >= 40, score: verdict.relevance })
/** What the sentiment toward the keyword says of a comparison; "Acme vs Globex" without a winner is NONE to the set. */
const WINNING = { positive: 'BETTER', negative: 'WORSE', neutral: 'NONE' } as const
const F1 = 'macro-F1'
const PLAIN = 'sentiment'
const WEAK: readonly Intent[] = [
  'bug_report',
  'buy_intent',
  'comparison',
  'event',
  'feedback',
  'hiring',
  'industry_insight',
  'launch',
  'promotional',
  'question',
]
const SE_SOURCES: Readonly<Record<string, Platform>> = {
  jira: 'github',
  codereview: 'github',
  so1500: 'stackoverflow',
  api: 'stackoverflow',
  appreviews: 'appstore',
}

export const SETS: readonly EvaluatedSet[] = [
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
  {
    name: 'appreviews_maalej',
    group: 'intents',
    mapping:
      'the stars are given, as the product has them; bug_report; feature_request = feedback; user_experience = ' +
      'testimonial; rating = praise or complaint',
    platformOf: on('appstore'),
    starsOf: (row) => Number(row.rating),
    predict: (judgement) => ({
      labels: [
        ...(has(judgement, 'bug_report') ? ['bug_report'] : []),
        ...(has(judgement, 'feedback') ? ['feature_request'] : []),
        ...(has(judgement, 'testimonial') ? ['user_experience'] : []),
        ...(has(judgement, 'praise') || has(judgement, 'complaint') ? ['rating'] : []),
      ],
    }),
    targets: [
      {
        path: 'labels.per.bug_report.f1',
        name: 'F1 of bug_report',
        must: 66,
        stretch: 72,
        peers: 'rules 35, reference LR 64.0',
      },
      { path: 'labels.per.feature_request.f1', name: 'F1 of feature_request', peers: 'rules 27, reference LR 42.6' },
      { path: 'labels.per.user_experience.f1', name: 'F1 of user_experience', peers: 'reference LR 53.3' },
      { path: 'labels.per.rating.f1', name: 'F1 of rating', peers: 'reference LR 88.4' },
    ],
  },
  {
    name: 'appreviews_gplay8000',
    group: 'intents',
    mapping:
      'the strongest of bug_report, feedback (feature_request), testimonial (user_experience), and praise or ' +
      'complaint (rating)',
    platformOf: on('googleplay'),
    predict: (judgement) => ({
      label:
        { bug_report: 'bug_report', feedback: 'feature_request', testimonial: 'user_experience' }[
          strongest(judgement, ['bug_report', 'feedback', 'testimonial'], 'rating')
        ] ?? 'rating',
    }),
    targets: [
      {
        path: 'label.macroF1',
        name: F1,
        must: 85,
        stretch: 88.5,
        peers: 'rules 46.2; trained on it: reference LR 84.1, RoBERTa 89.5',
      },
    ],
  },
  {
    name: 'github_issues_nlbse24',
    group: 'intents',
    mapping: 'the strongest of bug_report (bug), feedback (feature), question',
    platformOf: on('github'),
    predict: (judgement) => ({
      label: { bug_report: 'bug', feedback: 'feature', question: 'question' }[
        strongest(judgement, ['bug_report', 'feedback', 'question'], null)
      ],
    }),
    targets: [
      {
        path: 'label.macroF1',
        name: F1,
        must: 76,
        stretch: 80,
        peers: 'trained on it: reference LR 73.8, fastText 71.8, SetFit 82.7',
      },
    ],
  },
  {
    name: 'suggestions_semeval19',
    group: 'intents',
    mapping: 'suggestion = feedback',
    platformOf: on('reddit'),
    predict: flag('suggestion', 'feedback'),
    targets: [
      {
        path: 'suggestion.perClass.true.f1',
        name: 'F1 of suggestion',
        must: 60,
        stretch: 68,
        peers: 'rules 40.8; trained on it: reference LR 58.4, BERT 78',
      },
    ],
  },
  {
    name: 'complaints',
    group: 'intents',
    mapping: 'complaint',
    platformOf: on('x'),
    predict: flag('complaint', 'complaint'),
    targets: [
      {
        path: 'complaint.macroF1',
        name: F1,
        must: 82,
        stretch: 85,
        peers: 'rules 46.6; trained on it: reference LR 81.9, published 79',
      },
      { path: 'auc', name: 'AUC', peers: 'trained on it: reference LR 90.3' },
    ],
  },
  {
    name: 'churn_chat',
    group: 'intents',
    mapping: 'churn_intent; the target is the keyword',
    platformOf: on('x'),
    keywordOf: (row) => ({ term: String(row.target) }),
    predict: flag('churn_intent', 'churn_intent'),
    targets: [
      {
        path: 'churn_intent.perClass.true.f1',
        name: 'F1 of churn',
        must: 73,
        stretch: 80,
        peers: 'rules 48.7; trained on it: reference LR 71.0',
      },
    ],
  },
  {
    name: 'purchase_intent',
    group: 'intents',
    mapping: 'yes = buy_intent, else undefined',
    platformOf: on('x'),
    keywordOf: entity,
    predict: (judgement) => ({ purchase_intent: has(judgement, 'buy_intent') ? 'yes' : 'undefined' }),
    targets: [
      {
        path: 'purchase_intent.perClass.yes.f1',
        name: 'F1 of yes',
        must: 62,
        stretch: 68,
        peers: 'rules 53.0, reference LR 60.6',
      },
    ],
  },
  {
    name: 'comparison_compsent19',
    group: 'intents',
    mapping:
      'object_a is the keyword; with the tag comparison BETTER where the sentiment toward it is positive, WORSE ' +
      'where negative; else NONE: no winner',
    platformOf: on('reddit'),
    keywordOf: (row) => ({ term: String(row.object_a) }),
    predict: (judgement) => ({
      comparison: has(judgement, 'comparison'),
      label: has(judgement, 'comparison') ? WINNING[judgement.verdict.sentiment] : 'NONE',
      score: evidenceFor(judgement, 'comparison'),
    }),
    targets: [
      {
        path: 'label.accuracy',
        name: 'micro-F1 of three',
        must: 84,
        stretch: 87,
        peers: 'reference LR 78.2, BOW 85.9, BERT 88.5',
      },
      { path: 'comparison.perClass.true.f1', name: 'F1 of comparison', peers: 'rules 38.1, reference LR 65.1' },
    ],
  },
  {
    name: 'youtube_spam',
    group: 'intents',
    mapping: 'spam = promotional',
    platformOf: on('youtube'),
    predict: flag('spam', 'promotional'),
    targets: [
      {
        path: 'spam.perClass.true.f1',
        name: 'F1 of spam',
        must: 95.5,
        stretch: 97,
        peers: 'rules 84.6, reference LR 95.5',
      },
    ],
  },
  {
    name: 'weak_intents',
    group: 'intents',
    mapping: 'the strongest of ten tags and none',
    platformOf: (row) => (String(row.source).startsWith('r/') ? 'reddit' : 'hackernews'),
    predict: (judgement) => ({
      label: [...WEAK, 'none' as const].reduce((best, one) =>
        evidenceFor(judgement, one) > evidenceFor(judgement, best) ? one : best,
      ),
    }),
    targets: [{ path: 'label.macroF1', name: F1, must: 73, stretch: 78, peers: 'rules 27.7, reference LR 71.8' }],
  },
  {
    name: 'corporate_messaging',
    group: 'intents',
    mapping: 'action = promotional or event, dialogue = question, praise or complaint, else information',
    platformOf: on('x'),
    predict: (judgement) => ({
      label:
        has(judgement, 'promotional') || has(judgement, 'event')
          ? 'action'
          : (['question', 'praise', 'complaint'] as const).some((intent) => has(judgement, intent))
            ? 'dialogue'
            : 'information',
    }),
    targets: [{ path: 'label.macroF1', name: F1, peers: 'trained on it: reference LR 83.6' }],
  },
  {
    name: 'intents_loom_gold',
    group: 'intents',
    mapping: 'intents; sentiment toward the brand',
    platformOf: (row) => (row.platform === 'hackernews' ? 'hackernews' : 'reddit'),
    keywordOf: (row) => ({ term: String(row.term ?? row.entity ?? 'loom'), context: String(row.context ?? LOOM) }),
    predict: ({ verdict }) => ({ intents: verdict.intents, sentiment: verdict.sentiment }),
    targets: [
      { path: 'intents.microF1', name: 'micro-F1', must: 58, stretch: 68, peers: 'rules 48.6' },
      { path: 'intents.macroF1_5plus', name: F1, peers: 'rules 44.4' },
      {
        path: 'sentiment.macroF1',
        name: `${F1} of sentiment`,
        must: 58,
        stretch: 65,
        peers: 'AFINN 32.9, reference LR 53.0',
      },
    ],
  },
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

const LOOM = 'Loom, the screen recorder for video messages at work.'

/** Whether a stage of the training may read the set. */
export function mayTrain(set: string): boolean {
  return !EVALUATION_ONLY.has(set)
}

/** Sets whose licence forbids or does not allow training on them, and what exists for judging alone. */
const EVALUATION_ONLY: ReadonlySet<string> = new Set([
  'sanders',
  'airline',
  'se_misc',
  'reviews_stars',
  'appreviews_gplay8000',
  'github_issues_nlbse24',
  'suggestions_semeval19',
  'complaints',
  'churn_chat',
  'tweepfake_bot',
  'apple_fruit',
  'relevance_loom',
  'intents_loom_gold',
])
