import { type Platform, platformFromNumber } from '../../domain/platform/platforms.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { sql } from '../../store/database.ts'
import { type MentionSearch, resolveSearch } from '../mentions/search.ts'
import type { QueryContext } from '../reading.ts'
import { selectedIn } from './selected.ts'
import type { Windows } from './window.ts'

/** Rows of each kind, most reviews first. */
export const REVIEW_ROWS_MAX = 50

export interface ReviewFigures {
  reviews: number
  /** Mean stars; null without reviews. */
  mean: number | null
  stars: { 1: number; 2: number; 3: number; 4: number; 5: number }
}

export interface ReviewsAnswer {
  current: ReviewFigures
  previous: ReviewFigures | null
  apps: (ReviewFigures & { platform: Platform; app: { id: string; url: string } | null })[]
  storefronts: (ReviewFigures & { platform: Platform; country: string | null })[]
  versions: (ReviewFigures & { platform: Platform; appId: string | null; version: string })[]
}

interface Row {
  part: 'whole' | 'app' | 'storefront' | 'version'
  current: boolean
  platform: number
  app_id: string | null
  app_url: string | null
  country: string | null
  version: string | null
  one: number
  two: number
  three: number
  four: number
  five: number
}

export async function getReviews(
  reading: QueryContext,
  search: MentionSearch,
  windows: Windows,
): Promise<ReviewsAnswer | Refusal<'not_found' | 'validation_error'>> {
  const resolved = await resolveSearch(reading, search)
  if (isRefusal(resolved)) return resolved
  const selected = selectedIn(reading, resolved, windows, {
    more: sql`m.rating, p.review -> 'app' ->> 'id' as app_id, p.review -> 'app' ->> 'url' as app_url,
        p.review ->> 'country' as country, p.review ->> 'version' as version`,
    joins: sql`join post p on p.id = m.post_id`,
    also: sql`m.rating is not null`,
  })
  const stars = sql`${sql.join(
    ['one', 'two', 'three', 'four', 'five'].map(
      (name, at) => sql`count(*) filter (where
      rating = ${at + 1}) as ${sql.ref(name)}`,
    ),
  )}`
  // An app's address may change while its id stays.
  const rows = await reading.db.query<Row>(sql`
    with selected as materialized (${selected})
    select 'whole' as part, current, null::smallint as platform, null as app_id, null as app_url, null as country,
      null as version, ${stars} from selected group by current
    union all (select 'app', true, platform, app_id, max(app_url), null, null, ${stars} from selected where current
      group by platform, app_id order by count(*) desc, platform, app_id limit ${REVIEW_ROWS_MAX})
    union all (select 'storefront', true, platform, null, null, country, null, ${stars} from selected where current
      group by platform, country order by count(*) desc, platform, country limit ${REVIEW_ROWS_MAX})
    union all (select 'version', true, platform, app_id, null, null, version, ${stars} from selected
      where current and version is not null group by platform, app_id, version
      order by count(*) desc, platform, app_id, version limit ${REVIEW_ROWS_MAX})`)
  const whole = (current: boolean) => figuresOf(rows.find((row) => row.part === 'whole' && row.current === current))
  const parts = (part: Row['part']) => rows.filter((row) => row.part === part)
  return {
    current: whole(true),
    previous: windows.previous && whole(false),
    apps: parts('app').map((row) => ({
      ...figuresOf(row),
      ...placeOf(row),
      app: row.app_id === null ? null : { id: row.app_id, url: row.app_url! },
    })),
    storefronts: parts('storefront').map((row) => ({ ...figuresOf(row), ...placeOf(row), country: row.country })),
    versions: parts('version').map((row) => ({
      ...figuresOf(row),
      ...placeOf(row),
      appId: row.app_id,
      version: row.version!,
    })),
  }
}

function placeOf({ platform }: Row): { platform: Platform } {
  return { platform: platformFromNumber(platform) }
}

function figuresOf(row: Row | undefined): ReviewFigures {
  const stars = { 1: row?.one ?? 0, 2: row?.two ?? 0, 3: row?.three ?? 0, 4: row?.four ?? 0, 5: row?.five ?? 0 }
  const counted = Object.entries(stars)
  const reviews = counted.reduce((sum, [, count]) => sum + count, 0)
  return {
    reviews,
    mean: reviews === 0 ? null : counted.reduce((sum, [star, count]) => sum + Number(star) * count, 0) / reviews,
    stars,
  }
}
