import { RELEVANCE_THRESHOLD, SENTIMENTS, type Verdict } from '../../domain/mention/classification.ts'
import type { Scored, Subject } from '../contract.ts'
import type { Compared } from './comparing/comparing.ts'
import { confidenceOf, foreignFactor } from './confidence.ts'
import { venueOf } from './cues/signs.ts'
import { type Found, finderOf } from './finder.ts'
import { intentsFitting } from './intents/intents.ts'
import { languagesOf } from './language/language.ts'
import type { Grams } from './language/language-grams.ts'
import { decodeLanguages } from './language/language-marks.ts'
import {
  isDecidedByLayer,
  leanMention,
  type MentionModel,
  mentionIntents,
  mentionModelOf,
  mentionOdds,
  mentionScore,
  mentionSentiment,
  mentionSureness,
} from './mention/layer.ts'
import { bestOccurrence } from './mention/occurrences.ts'
import type { Standing } from './mention/standings.ts'
import { type Model, sectionOf } from './model/model-file.ts'
import { noteOf } from './note.ts'
import { leanMood } from './relevance/marks.ts'
import type { Relevance } from './relevance/relevance.ts'
import { decisiveWords, honest, type Mood } from './sentiment/sentiment.ts'
import type { Moods } from './sentiment/sentiment-model.ts'

export function scorerOf(model: Model, grams: Grams): (subject: Subject) => Scored {
  const judge = judgeOf(model, grams)
  return (subject) => {
    try {
      return { verdict: judge(subject).verdict }
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) }
    }
  }
}

export interface OfflineJudgement {
  verdict: Verdict
  /** Probability of positive minus that of negative, -1 to 1. */
  leaning: number
  /** Log-odds of PURPOSES beyond their thresholds. The next judgement overwrites the array. */
  evidence: Float64Array
}

/** What a verdict says before the language, the confidence and the note. */
interface Decision extends Pick<Verdict, 'intents'> {
  relevance: Relevance
  mood: Mood
  compared: Compared
  /** Null without the mention layer. */
  standing: Standing | null
  /** 0 to 1 in a known language. */
  confidence(language: string | null): number
}

export function judgeOf(model: Model, grams: Grams): (subject: Subject) => OfflineJudgement {
  const finder = finderOf(model)
  const { moods } = finder
  const languageOf = languagesOf({ grams, learned: decodeLanguages(sectionOf(model, 'language.marks')) })
  const mentionModel = mentionModelOf(model)
  const oddsOf = mentionOdds(mentionModel)
  return (subject) => {
    const { post } = subject
    const found = finder.find(subject)
    const { reading, keyword, moodShares, purpose, automated } = found
    const decision = isDecidedByLayer(found)
      ? decideMention(mentionModel, found, oddsOf(found))
      : decideAlone(moods, found)
    const { relevance, mood, intents, compared, standing } = decision
    const telling =
      mood.stars === null && mood.sentiment !== 'neutral'
        ? decisiveWords(moods, reading, mood.sentiment, keyword.term, 2)
        : []
    const language = languageOf(reading.tokens, post, keyword.words)
    const verdict: Verdict = {
      relevance: relevance.score,
      sentiment: mood.sentiment,
      intents,
      automated,
      language,
      confidence: decision.confidence(language),
      note: noteOf({ keyword, relevance, standing, mood, telling, intents, compared, automated }),
    }
    return { verdict, leaning: moodShares[POSITIVE]! - moodShares[NEGATIVE]!, evidence: purpose.evidence }
  }
}

/** The models' own verdicts, where the keyword has no context or the post does not name the term. */
function decideAlone(moods: Moods, found: Found): Decision {
  const { relevance, purpose, platform, moodShares } = found
  const wording = leanMood(found.leaning, found.mood, moodShares, found.gathered)
  // An irrelevant post compares another thing of the same name.
  const compared = relevance.score < RELEVANCE_THRESHOLD ? 'none' : purpose.compared
  const mood = takingSides(honest(moods, wording, platform), compared, purpose.comparedSurely)
  return {
    relevance,
    mood,
    compared,
    standing: null,
    intents: intentsFitting(purpose, mood.sentiment, mood.stars),
    confidence: (language) => confidenceOf(mood, purpose, relevance, language, venueOf(platform)),
  }
}

/** The verdict of the mention layer, which weighs those of the models. */
function decideMention(model: MentionModel, found: Found, odds: Float64Array): Decision {
  const { keyword, relevance, leaning, gathered, moodShares, purpose } = found
  const score = keyword.everySense ? relevance.score : mentionScore(odds, found)
  const sentiment = mentionSentiment(odds, moodShares)
  const own: Mood = { sentiment, probability: mentionSureness(model, odds, sentiment), stars: null }
  const before = moodShares.slice()
  const mood = leanMood(leaning, own, moodShares, gathered)
  leanMention(model, odds, { before, after: moodShares }, relevance)
  return {
    relevance: { ...relevance, score },
    mood,
    compared: score < RELEVANCE_THRESHOLD || mood.sentiment === 'neutral' ? 'none' : purpose.compared,
    standing: bestOccurrence(found.occurrences)?.standing ?? null,
    intents: mentionIntents(odds),
    confidence: (language) => Math.round(100 * mood.probability * foreignFactor(language)) / 100,
  }
}

/** A comparison that the keyword wins or loses decides the sentiment, whatever else the text praises. */
function takingSides(mood: Mood, compared: Compared, comparedSurely: number): Mood {
  if (mood.stars !== null || compared === 'none') return mood
  return { ...mood, sentiment: compared === 'better' ? 'positive' : 'negative', probability: comparedSurely }
}

const POSITIVE = SENTIMENTS.indexOf('positive')
const NEGATIVE = SENTIMENTS.indexOf('negative')
