import type { z } from 'zod'
import type { CollectContext, Cost } from '../contract.ts'
import { type ItemsOf, readItems } from '../read-items.ts'
import { readJson } from '../reply-fault.ts'
import { faultOf } from './fault.ts'
import { listReply } from './wire.ts'

export const HOST = 'www.googleapis.com'
/** Most items per reply and ids per request. */
export const PAGE = 50

interface Listing<Shape extends z.ZodType> extends Pick<ItemsOf, 'understood'> {
  method: 'search' | 'videos' | 'channels' | 'commentThreads'
  parameters: Record<string, string>
  cost: Cost
  shape: Shape
}

interface Listed<Item> {
  items: Item[]
  /** Includes skipped items. */
  count: number
  next: string | null
}

export type List = <Shape extends z.ZodType>(
  context: CollectContext,
  listing: Listing<Shape>,
) => Promise<Listed<z.infer<Shape>>>

export function listingWith(key: string): List {
  const headers = { 'x-goog-api-key': key }
  return async (context, { method, parameters, cost, shape, understood = 0 }) => {
    const reply = await context.fetch(`https://${HOST}/youtube/v3/${method}?${new URLSearchParams(parameters)}`, {
      headers,
      cost,
    })
    const fault = faultOf(reply, context.at)
    if (fault) throw fault
    const { items: raw, nextPageToken } = readJson(reply, listReply, context.at)
    const items = readItems(raw ?? [], shape, context, 'youtube', { part: { method }, understood })
    return { items, count: raw?.length ?? 0, next: nextPageToken ?? null }
  }
}
