import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Verdict } from '../../domain/mention/classification.ts'
import type { Classifier, Scored, Subject } from '../contract.ts'
import { seemsAutomated } from './automated.ts'
import { type Directions, directionsOf } from './directions.ts'
import { intentsOf, newIntentScratch } from './intents.ts'
import { type PreparedKeyword, prepareKeyword } from './keyword.ts'
import { type LanguageOf, loadLanguages } from './language.ts'
import { loadModel, type Model } from './model-file.ts'
import { noteOf } from './note.ts'
import { newReading, read } from './reading.ts'
import { type Relevance, relevanceOf } from './relevance.ts'
import { type Mood, moodOf, tellingWords } from './sentiment.ts'

/** A classifier that runs in this process with the model shipped beside the code: no network, no key. */
export async function createOfflineClassifier(): Promise<Classifier> {
  const scoreOne = scorerOf(await loadModel(), await loadLanguages())
  return {
    name: 'offline',
    async score(subjects, signal) {
      signal.throwIfAborted()
      const scored: Scored[] = []
      let characters = 0
      for (const subject of subjects) {
        // The event loop gets its turn after a few milliseconds of work, measured in characters to stay repeatable.
        if (characters > SLICE_CHARACTERS) {
          characters = 0
          await nextTurn()
          signal.throwIfAborted()
        }
        characters += CHARACTERS_PER_POST + Math.min(MOST_COUNTED, (subject.post.title?.length ?? 0) + subject.post.text.length)
        scored.push(attempt(scoreOne, subject))
      }
      return scored
    },
    async close() {},
  }
}

/** The scorer itself: one subject in, one verdict out, nothing remembered but prepared keywords. */
export function scorerOf(model: Model, languageOf: LanguageOf): (subject: Subject) => Verdict {
  const reading = newReading()
  const intentScratch = newIntentScratch(model)
  const moodScratch = new Float64Array(model.sentiment.labels.length)
  const directions = directionsOf(model.vectors)
  const keywordOf = keywordCache(model, directions)
  return (subject) => {
    const { post } = subject
    const keyword = keywordOf(subject)
    read(post, reading)
    const mood = moodOf(model, reading, post.review, moodScratch)
    const relevance = relevanceOf(model, directions, keyword, reading, post)
    const intents = intentsOf(model, reading, mood.sentiment, mood.stars, intentScratch)
    const automated = seemsAutomated(reading, post.author)
    const telling = mood.stars === null && mood.sentiment !== 'neutral' ? tellingWords(model, reading, mood.sentiment, keyword.term, 2) : []
    const language = languageOf(reading, post.languageHint)
    return {
      relevance: relevance.score,
      sentiment: mood.sentiment,
      intents,
      automated,
      language,
      confidence: confidenceOf(mood, relevance, language),
      note: noteOf(keyword, relevance, mood, telling, intents, automated),
    }
  }
}

/**
 * How likely the sentiment is right; less where the relevance lies close to the line between noise and relevant, and less
 * in a language that the model was not taught.
 */
function confidenceOf(mood: Mood, relevance: Relevance, language: string | null): number {
  const clear = Math.min(1, Math.abs(relevance.score - 40) / 20)
  const foreign = mood.stars === null && language !== null && !TAUGHT_LANGUAGES.has(language) ? 0.6 : 1
  return Math.round(100 * mood.probability * foreign * (0.6 + 0.4 * clear)) / 100
}

function attempt(scoreOne: (subject: Subject) => Verdict, subject: Subject): Scored {
  try {
    return { verdict: scoreOne(subject) }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}

/** Keeps the keywords used last prepared; which ones are kept never changes a verdict. */
function keywordCache(model: Model, directions: Directions): (subject: Subject) => PreparedKeyword {
  const kept = new Map<string, PreparedKeyword>()
  return (subject) => {
    const key = [subject.keyword.kind, subject.keyword.term, subject.keywordContext ?? '', subject.companyContext ?? ''].join('\u0000')
    const found = kept.get(key)
    if (found) return found
    if (kept.size >= KEPT_KEYWORDS) kept.clear()
    const prepared = prepareKeyword(model, directions, subject)
    kept.set(key, prepared)
    return prepared
  }
}

/** Languages with enough labelled texts in the training sets. */
const TAUGHT_LANGUAGES = new Set(['en', 'ar', 'de', 'es', 'fr', 'it', 'pt'])
const SLICE_CHARACTERS = 10_000
const CHARACTERS_PER_POST = 100
const MOST_COUNTED = 8192
const KEPT_KEYWORDS = 512
