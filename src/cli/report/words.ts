import type { Schema } from '../../client/index.ts'
import { wordsOf } from '../kit/post.ts'
import { cleanLine } from '../terminal/clean.ts'
import { cut } from '../terminal/table.ts'
import type { Figure, Report } from './gather.ts'

export function titleOf({ workspace }: Report): string {
  return `Mentions of ${cleanLine(workspace)}`
}

export function periodOf({ from, to, timezone }: Report): string {
  return `${from} to ${to} (${timezone})`
}

export function changeOf({ change }: Figure): string {
  if (change === null) return ''
  const percent = Math.round(change * 100)
  return percent === 0 ? 'unchanged' : `${percent > 0 ? '+' : ''}${percent} %`
}

export function countOf(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

export function openSentence({ open }: Report): string {
  if (open === 0) return 'No relevant mention of the period is open.'
  return open === 1 ? '1 relevant mention is still open.' : `${countOf(open)} relevant mentions are still open.`
}

/** The beginning of the post on one line, in columns of a terminal. */
export function excerptOf({ post }: Schema<'Mention'>, most: number): string {
  return cut(cleanLine(wordsOf(post)), most)
}

export function authorOf({ post, author }: Schema<'Mention'>): string {
  const name = author?.name ?? author?.handle ?? null
  return cleanLine(name === null ? post.platform : `${name} on ${post.platform}`)
}

export const EXCERPT = 200
