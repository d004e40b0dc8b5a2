import { RELEVANCE_THRESHOLD, SENTIMENTS, type Verdict } from '../../domain/mention/classification.ts'
import { boundedCache } from '../../kernel/concurrency/bounded-cache.ts'
import type { Scored, Subject } from '../contract.ts'
import type { Compared } from './comparing/comparing.ts'
import { confidenceOf } from './confidence.ts'
import { seemsAutomated } from './cues/automated.ts'
import { venueOf } from './cues/signs.ts'
import { intentsFitting, purposeJudge } from './intents/intents.ts'
import { type PreparedKeyword, prepareKeyword } from './keyword/keyword.ts'
import { languagesOf } from './language/language.ts'
import type { Grams } from './language/language-grams.ts'
import { decodeLanguages } from './language/language-marks.ts'
import { type Model, sectionOf } from './model/model-file.ts'
import { noteOf } from './note.ts'
import { newEvidence } from './relevance/evidence.ts'
import { leaningCache, leanMood } from './relevance/marks.ts'
import { type RelevanceModel, relevanceModelOf } from './relevance/odds.ts'
import { relevanceOf } from './relevance/relevance.ts'
import { decisiveWords, honest, type Mood, moodOf, toneOf } from './sentiment/sentiment.ts'
import { moodsOf } from './sentiment/sentiment-model.ts'
import { newReading, read } from './text/reading.ts'

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

export function judgeOf(model: Model, grams: Grams): (subject: Subject) => OfflineJudgement {
  const reading = newReading()
  const relevanceModel = relevanceModelOf(model)
  const moods = moodsOf(model, relevanceModel.directions)
  const tone = new Float64Array(SENTIMENTS.length)
  const moodScratch = new Float64Array(SENTIMENTS.length)
  const purposeOf = purposeJudge(model, relevanceModel.directions)
  const relevanceScratch = newEvidence(relevanceModel.directions)
  const leaningFrom = leaningCache(relevanceModel)
  const languageOf = languagesOf({ grams, learned: decodeLanguages(sectionOf(model, 'language.marks')) })
  const keywordOf = keywordCache(relevanceModel)
  return (subject) => {
    const { post } = subject
    const keyword = keywordOf(subject)
    read(post, reading)
    const leaning = leaningFrom(keyword, subject.marks)
    const relevance = relevanceOf(relevanceModel, keyword, leaning, reading, post, relevanceScratch)
    toneOf(moods, reading, post.platform, keyword.term, tone)
    const wording = leanMood(leaning, moodOf(tone, post.review, moodScratch), moodScratch, relevanceScratch)
    const purpose = purposeOf(reading, {
      platform: post.platform,
      term: subject.keyword.term,
      stars: wording.stars,
      tone,
    })
    // An irrelevant post compares another thing of the same name.
    const compared = relevance.score < RELEVANCE_THRESHOLD ? 'none' : purpose.compared
    const mood = takingSides(honest(moods, wording, post.platform), compared, purpose.comparedSurely)
    const intents = intentsFitting(purpose, mood.sentiment, mood.stars)
    const automated = seemsAutomated(reading, post.author)
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
      confidence: confidenceOf(mood, purpose, relevance, language, venueOf(post.platform)),
      note: noteOf({ keyword, relevance, mood, telling, intents, compared, automated }),
    }
    return { verdict, leaning: moodScratch[POSITIVE]! - moodScratch[NEGATIVE]!, evidence: purpose.evidence }
  }
}

/** A comparison that the keyword wins or loses decides the sentiment, whatever else the text praises. */
function takingSides(mood: Mood, compared: Compared, comparedSurely: number): Mood {
  if (mood.stars !== null || compared === 'none') return mood
  return { ...mood, sentiment: compared === 'better' ? 'positive' : 'negative', probability: comparedSurely }
}

/** The cache never changes a verdict. */
function keywordCache({ rarities, directions }: RelevanceModel): (subject: Subject) => PreparedKeyword {
  const kept = boundedCache<PreparedKeyword>({ most: KEPT_KEYWORDS })
  return (subject) => {
    const key = [
      subject.keyword.kind,
      subject.keyword.term,
      subject.keywordContext ?? '',
      subject.companyContext ?? '',
    ].join('\u0000')
    const prepared = kept.get(key) ?? prepareKeyword(rarities, directions, subject)
    kept.set(key, prepared)
    return prepared
  }
}

const POSITIVE = SENTIMENTS.indexOf('positive')
const NEGATIVE = SENTIMENTS.indexOf('negative')
const KEPT_KEYWORDS = 2048
