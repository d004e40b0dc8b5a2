import type { z } from 'zod'
import type { CollectContext } from '../contract.ts'
import { readItems } from '../read-items.ts'
import type { Article } from './article.ts'

export type NewsIndex = 'gdelt' | 'googlenews' | 'bing'

/** Such as { language: 'en-US', country: 'US' }. */
export interface Edition {
  language: string
  country: string
}

export interface NewsQuery {
  /** Without quotation marks. */
  phrases: readonly string[]
  since: Date
  limit: number
  editions: readonly Edition[]
}

export type AskIndex = (context: CollectContext, query: NewsQuery) => AsyncIterable<Article[]>

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
