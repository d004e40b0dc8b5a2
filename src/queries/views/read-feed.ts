import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { opensFeed, urlWith } from '../../domain/view/feed.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { readViewOfAnybody } from '../../store/filter/views.ts'
import { readShown } from '../mentions/mention-rows.ts'
import { type Mention, mentionFromRow } from '../mentions/mention-shape.ts'
import { EVERY_MENTION, resolveSearch } from '../mentions/search.ts'
import { readNewest } from '../mentions/select-newest.ts'
import type { QueryContext } from '../reading.ts'
import { noSuchView } from './get-view.ts'
import { type View, viewToApi } from './view-shape.ts'

export interface ViewFeed {
  view: View & { feedUrl: string }
  mentions: Mention[]
}

/** Feed readers poll often and show few mentions. */
export const FEED_MENTIONS = 50

/** Whether the token opens the feed of this view here. */
export async function isFeedOf({ db, sealer }: Pick<QueryContext, 'db' | 'sealer'>, id: Uuid, token: string) {
  const view = await readViewOfAnybody(db, id)
  return view !== null && opensFeed({ sealer }, view, token)
}

/**
 * The view of a feed address in any workspace. A wrong token and an unknown view are both not found. The workspace
 * chooses the database share of the other reads.
 */
export async function readFeed(
  reading: Omit<QueryContext, 'workspaceId'>,
  id: Uuid,
  token: string,
  readerOf: (workspaceId: Uuid) => QueryContext['db'],
): Promise<ViewFeed | Refusal<'not_found' | 'validation_error'>> {
  const { clock } = reading
  const view = await readViewOfAnybody(reading.db, id)
  if (view === null || !opensFeed(reading, view, token)) return noSuchView()
  const { workspaceId } = view
  const db = readerOf(workspaceId)
  const resolved = await resolveSearch({ db, workspaceId }, { ...EVERY_MENTION, filters: [view.filter] })
  if (isRefusal(resolved)) return resolved
  const at = clock.now()
  const found = await readNewest({ db, workspaceId }, { search: resolved, at, behind: null, limit: FEED_MENTIONS })
  const rows = await readShown(db, found)
  return {
    view: { ...viewToApi(view, reading), feedUrl: urlWith(reading, view, token) },
    mentions: rows.map((row) => mentionFromRow(row, at)),
  }
}
