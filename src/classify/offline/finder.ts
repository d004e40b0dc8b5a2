import { SENTIMENTS } from '../../domain/mention/classification.ts'
import { boundedCache } from '../../kernel/concurrency/bounded-cache.ts'
import type { Subject } from '../contract.ts'
import { seemsAutomated } from './cues/automated.ts'
import { type IntentPurpose, purposeJudge } from './intents/intents.ts'
import { type PreparedKeyword, prepareKeyword } from './keyword/keyword.ts'
import type { Findings } from './mention/findings.ts'
import { occurrencesOf } from './mention/occurrences.ts'
import { newThemeBits, themesOf } from './mention/themes.ts'
import { newTokenTones, tokenTonesOf } from './mention/token-tones.ts'
import type { Parts } from './model/model-file.ts'
import { type Evidence, newEvidence } from './relevance/evidence.ts'
import { type Leaning, leaningCache } from './relevance/marks.ts'
import { hasContext, type RelevanceModel, relevanceModelOf } from './relevance/odds.ts'
import { relevanceOf } from './relevance/relevance.ts'
import { type Mood, moodOf, toneOf } from './sentiment/sentiment.ts'
import { type Moods, moodsOf } from './sentiment/sentiment-model.ts'
import { newReading, read } from './text/reading.ts'

/** What the models of sentiment, intents and relevance find in a post, each by itself. */
export interface Found extends Findings {
  purpose: IntentPurpose
  leaning: Leaning | null
  gathered: Evidence
  /** By the stars of a review, otherwise by the words. */
  mood: Mood
  /** Probabilities of SENTIMENTS that belong to `mood`. */
  moodShares: Float64Array
}

export interface Finder {
  moods: Moods
  /** The result is valid until the next call. */
  find(subject: Subject): Found
}

export function finderOf(model: Parts): Finder {
  const reading = newReading()
  const relevanceModel = relevanceModelOf(model)
  const moods = moodsOf(model, relevanceModel.directions)
  const tone = new Float64Array(SENTIMENTS.length)
  const moodShares = new Float64Array(SENTIMENTS.length)
  const tones = newTokenTones()
  const themes = newThemeBits()
  const purposeOf = purposeJudge(model, relevanceModel.directions)
  const gathered = newEvidence(relevanceModel.directions)
  const leaningFrom = leaningCache(relevanceModel)
  const keywordOf = keywordCache(relevanceModel)
  return {
    moods,
    find(subject) {
      const { post } = subject
      const { platform } = post
      const keyword = keywordOf(subject)
      read(post, reading)
      const leaning = leaningFrom(keyword, subject.marks)
      const relevance = relevanceOf(relevanceModel, keyword, leaning, reading, post, gathered)
      toneOf(moods, reading, platform, keyword.term, tone)
      const isLayered = hasContext(keyword)
      if (isLayered) tokenTonesOf(moods.parts, reading, tones)
      if (isLayered) themesOf(reading, themes)
      const mood = moodOf(tone, post.review, moodShares)
      const purpose = purposeOf(reading, { platform, term: subject.keyword.term, stars: mood.stars, tone })
      return {
        reading,
        platform,
        stars: mood.stars,
        keyword,
        occurrences: isLayered ? occurrencesOf(keyword.term, reading.tokens, reading.titleEnd) : [],
        relevance,
        evidence: gathered.values,
        tone,
        tones,
        themes,
        purposes: purpose.evidence,
        signs: purpose.signs,
        compared: purpose.compared,
        automated: seemsAutomated(reading, post.author),
        purpose,
        leaning,
        gathered,
        mood,
        moodShares,
      }
    },
  }
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

const KEPT_KEYWORDS = 2048
