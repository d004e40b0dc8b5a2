import { type ReviewPage, reviewSourceFromId } from '../../domain/keyword/review-source.ts'
import { type CollectContext, MONEY, type ReviewPageQuery, SourceFault, type SourceReply } from '../contract.ts'
import { readJson, saidIn } from '../reply-fault.ts'
import { legacyReply, placeReply, placesError } from './wire.ts'

export const PLACES_HOST = 'places.googleapis.com'
export const LEGACY_HOST = 'maps.googleapis.com'

/**
 * "Place Details Enterprise + Atmosphere": $25 per 1,000 requests
 * (developers.google.com/maps/billing-and-pricing/pricing). The free first 1,000 of a month are counted too.
 */
export const DETAILS_MICRO_USD = 25_000
/** Legacy "Place Details": $17 per 1,000 requests. Only a lookup by place id is documented as free. */
export const LEGACY_MICRO_USD = 17_000

/** The legacy service's refusals, with HTTP status 200. */
const LEGACY_REFUSALS = new Set([
  'INVALID_REQUEST',
  'OVER_DAILY_LIMIT',
  'OVER_QUERY_LIMIT',
  'REQUEST_DENIED',
  'UNKNOWN_ERROR',
])

/** At most five reviews, chosen by Google for relevance. */
export async function askPlace(context: CollectContext, key: string, page: ReviewPageQuery): Promise<unknown[]> {
  const language = encodeURIComponent(page.language ?? 'en')
  const url = `https://${PLACES_HOST}/v1/places/${encodeURIComponent(page.id)}?languageCode=${language}`
  const reply = await context.fetch(url, {
    headers: { 'x-goog-api-key': key, 'x-goog-fieldmask': 'id,reviews', accept: 'application/json' },
    cost: { [MONEY]: DETAILS_MICRO_USD },
  })
  // Google bills only successful replies.
  if (!isGood(reply)) context.spend({ [MONEY]: -DETAILS_MICRO_USD })
  const fault = ownFault(reply)
  if (fault) throw fault
  const place = readJson(reply, placeReply, context.at)
  return 'id' in place ? (place.reviews ?? []) : []
}

/** Both a wrong key and an invalid id are 400. */
function ownFault(reply: SourceReply): SourceFault | null {
  if (reply.status !== 400) return null
  const message = saidIn(reply, placesError)?.error.message ?? ''
  if (/api key/i.test(message)) return new SourceFault('credentials', 'Google does not accept the API key')
  return /place id/i.test(message) ? new SourceFault('gone', 'Google knows no place of this id') : null
}

/**
 * Only the legacy service accepts the number, and new projects cannot enable it: then the result is null, with a log
 * line.
 */
export async function placeOfCid(context: CollectContext, key: string, cid: string): Promise<ReviewPage | null> {
  const query = `cid=${encodeURIComponent(cid)}&fields=place_id&key=${encodeURIComponent(key)}`
  const url = `https://${LEGACY_HOST}/maps/api/place/details/json?${query}`
  // The address holds the key.
  const raw = await context.fetch(url, {
    headers: { accept: 'application/json' },
    cost: { [MONEY]: LEGACY_MICRO_USD },
    redirect: 'manual',
  })
  if (!isGood(raw) || LEGACY_REFUSALS.has(saidIn(raw, legacyReply)?.status ?? ''))
    context.spend({ [MONEY]: -LEGACY_MICRO_USD })
  const reply = readJson(raw, legacyReply, context.at)
  if (reply.status === 'OK' && reply.result) {
    const source = reviewSourceFromId('googlemaps', reply.result.place_id)
    return source === null ? null : { ...source, country: null, language: null }
  }
  if (['NOT_FOUND', 'ZERO_RESULTS', 'INVALID_REQUEST'].includes(reply.status)) return null
  if (
    reply.status === 'REQUEST_DENIED' &&
    /legacy|not authorized|not (?:been )?(?:enabled|activated)/i.test(reply.error_message ?? '')
  ) {
    context.log.warn(
      { event: 'source.place_api_missing', platform: 'googlemaps' },
      'A link names a place by number, which needs the older Places API; turn it on',
    )
    return null
  }
  throw legacyFault(reply.status)
}

function isGood({ status }: SourceReply): boolean {
  return status >= 200 && status < 300
}

function legacyFault(status: string): SourceFault {
  const message = `the older Places API answered ${status.slice(0, 40)}`
  if (status === 'OVER_QUERY_LIMIT') return new SourceFault('throttled', message)
  if (status === 'REQUEST_DENIED' || status === 'OVER_DAILY_LIMIT') return new SourceFault('credentials', message)
  return new SourceFault(status === 'UNKNOWN_ERROR' ? 'unavailable' : 'shape_changed', message)
}
