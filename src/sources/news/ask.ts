import type { z } from 'zod'
import type { CollectContext } from '../contract.ts'
import { readItems } from '../read-items.ts'
import type { Article } from './article.ts'

export type NewsIndex = 'gdelt' | 'googlenews' | 'bing'

/** The language and country whose readers an index is asked for, such as { language: 'en-US', country: 'US' }. */
export interface Edition {
  language: string
  country: string
}

/** What is asked of every index. */
export interface NewsQuery {
  /** Phrases without quotation marks; at least one. */
  phrases: readonly string[]
  since: Date
  /** So many articles suffice. */
  limit: number
  editions: readonly Edition[]
}

/** Articles of one index, a portion for each reply. */
export type AskIndex = (context: CollectContext, query: NewsQuery) => AsyncIterable<Article[]>

/** The articles of a reply that have the expected form. */
export function readArticles<Shape extends z.ZodType>(
  raw: readonly unknown[],
  shape: Shape,
  index: NewsIndex,
  context: CollectContext,
): z.infer<Shape>[] {
  return readItems(raw, shape, context, 'news', { part: { index } })
}

export function known(articles: readonly (Article | null)[]): Article[] {
  return articles.filter((article): article is Article => article !== null)
}
