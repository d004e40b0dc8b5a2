import { PURPOSES } from '../../../src/classify/offline/intents/intents.ts'
import type { OfflineJudgement } from '../../../src/classify/offline/judge.ts'
import type { Intent } from '../../../src/domain/mention/classification.ts'
import { type EvaluatedSet, entity, F1, LOOM, on } from './set.ts'

const has = (judgement: OfflineJudgement, intent: Intent) => judgement.verdict.intents.includes(intent)
const evidenceFor = (judgement: OfflineJudgement, purpose: Intent | 'none') =>
  judgement.evidence[PURPOSES.indexOf(purpose)]!
/** The intent of several that has most evidence; `otherwise` when none is given. */
const strongest = (judgement: OfflineJudgement, intents: readonly Intent[], otherwise: string | null): string => {
  const best = [...intents].sort((first, second) => evidenceFor(judgement, second) - evidenceFor(judgement, first))[0]!
  return otherwise !== null && evidenceFor(judgement, best) <= 0 ? otherwise : best
}
const flag = (field: string, intent: Intent) => (judgement: OfflineJudgement) => ({
  [field]: has(judgement, intent),
  score: evidenceFor(judgement, intent),
})
/** What the sentiment toward the keyword says of a comparison; "Acme vs Globex" without a winner is NONE to the set. */
const WINNING = { positive: 'BETTER', negative: 'WORSE', neutral: 'NONE' } as const
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

export const INTENT_SETS: readonly EvaluatedSet[] = [
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
      label: [...WEAK, 'none' as const].reduce((best, item) =>
        evidenceFor(judgement, item) > evidenceFor(judgement, best) ? item : best,
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
      label: has(judgement, 'promotional') || has(judgement, 'event') ? 'action' : dialogueOr(judgement),
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
]

function dialogueOr(judgement: OfflineJudgement): 'dialogue' | 'information' {
  const isDialogue = (['question', 'praise', 'complaint'] as const).some((intent) => has(judgement, intent))
  return isDialogue ? 'dialogue' : 'information'
}
