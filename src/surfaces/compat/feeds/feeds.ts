import { z } from 'zod'
import { createView } from '../../../commands/views/create-view.ts'
import { deleteView } from '../../../commands/views/delete-view.ts'
import { updateView } from '../../../commands/views/update-view.ts'
import { VIEW_LIMITS } from '../../../domain/filter/view.ts'
import { isRefusal, refuse } from '../../../domain/refusal/refusal.ts'
import { booleanIn } from '../../../operations/shapes.ts'
import { getView } from '../../../queries/views/get-view.ts'
import { listViews } from '../../../queries/views/list-views.ts'
import { defineCompat } from '../define.ts'
import { bounded, numberIdOut, orElse } from '../fields.ts'
import {
  feedIdIn,
  feedIdOf,
  feedInput,
  feedShape,
  isReadOnly,
  refusedDestinations,
  shownFeed,
  shownFeeds,
  viewFilterFrom,
} from './shape.ts'

export const listFeedsCompat = defineCompat({
  id: 'list-feeds',
  method: 'GET',
  path: '/feeds',
  access: 'read',
  summary: 'List feeds',
  description: 'Returns every saved view, oldest first.',
  tag: 'Feeds',
  query: {
    excludeWithNotifications: booleanIn()
      .optional()
      .meta({ description: 'Leaves nothing out: no feed has notifications.' }),
  },
  output: bounded(feedShape, VIEW_LIMITS.perWorkspace),
  run: async (context) => ({
    data: await shownFeeds(context, await listViews(context)),
    pagination: { nextCursor: null },
  }),
})

export const getFeedCompat = defineCompat({
  id: 'get-feed',
  method: 'GET',
  path: '/feeds/{id}',
  access: 'read',
  summary: 'Get a feed',
  description: 'Returns one saved view.',
  tag: 'Feeds',
  params: { id: feedIdIn },
  output: feedShape,
  notFound: 'FEED_NOT_FOUND',
  run: async (context, { params }) => {
    const id = await feedIdOf(context, params.id)
    const view = isRefusal(id) ? id : await getView(context, id)
    return isRefusal(view) ? view : await shownFeed(context, view)
  },
})

/** A feed has one kind of filters. */
function refuseBothFilters(
  { simpleFilters, advancedFilters }: { simpleFilters?: unknown; advancedFilters?: unknown },
  context: z.core.$RefinementCtx,
): void {
  if (simpleFilters && advancedFilters)
    context.addIssue({
      code: 'custom',
      message: 'cannot stand beside simpleFilters',
      path: ['advancedFilters'],
      input: advancedFilters,
    })
}

export const createFeedCompat = defineCompat({
  id: 'create-feed',
  method: 'POST',
  path: '/feeds',
  access: 'write',
  summary: 'Create a feed',
  description: 'Saves a view. Without filters it shows everything. Names are unique in any letter case.',
  tag: 'Feeds',
  body: z.strictObject(feedInput).superRefine(refuseBothFilters),
  status: 201,
  output: feedShape,
  notFound: 'FEED_NOT_FOUND',
  errors: ['duplicate_view', 'feature_disabled'],
  run: async (context, { body }) => {
    const filter = await viewFilterFrom(context, body)
    if (isRefusal(filter) && filter.code === 'validation_error') return filter
    const off = refusedDestinations(body)
    if (off !== null) return off
    if (isRefusal(filter)) return filter
    const view = await createView(context, { name: body.name, filter })
    return isRefusal(view) ? view : await shownFeed(context, view)
  },
})

export const updateFeedCompat = defineCompat({
  id: 'update-feed',
  method: 'PATCH',
  path: '/feeds/{id}',
  access: 'write',
  summary: 'Update a feed',
  description:
    'Updates the fields that are sent and keeps the others. Filters replace the filter of the view, and null for ' +
    'either makes it show everything; a filter that cannot be said here is not replaced.',
  tag: 'Feeds',
  params: { id: feedIdIn },
  body: z
    .strictObject({ ...feedInput, name: feedInput.name.optional() })
    .superRefine(refuseBothFilters)
    .refine((body) => Object.keys(body).length > 0, orElse('must hold at least one field')),
  output: feedShape,
  notFound: 'FEED_NOT_FOUND',
  errors: ['duplicate_view', 'unwritable_filter', 'stale_version', 'feature_disabled'],
  run: async (context, { params, body }) => {
    const id = await feedIdOf(context, params.id)
    if (isRefusal(id)) return id
    const before = await getView(context, id)
    if (isRefusal(before)) return before
    const writes = body.simpleFilters !== undefined || body.advancedFilters !== undefined
    const filter = writes ? await viewFilterFrom(context, body) : undefined
    if (isRefusal(filter) && filter.code === 'validation_error') return filter
    const off = refusedDestinations(body)
    if (off !== null) return off
    if (isRefusal(filter)) return filter
    if (writes && isReadOnly(before)) return UNWRITABLE
    const view = await updateView(context, id, {
      name: body.name,
      filter,
      ...(writes ? { ifVersion: before.version } : {}),
    })
    return isRefusal(view) ? view : await shownFeed(context, view)
  },
})

const UNWRITABLE = refuse(
  'unwritable_filter',
  'The filter of this view cannot be said here. Change it at PATCH /v1/views/{id} or in the dashboard.',
)

export const deleteFeedCompat = defineCompat({
  id: 'delete-feed',
  method: 'DELETE',
  path: '/feeds/{id}',
  access: 'write',
  summary: 'Delete a feed',
  description: 'Deletes the saved view. Alert rules have filters of their own and stay.',
  tag: 'Feeds',
  params: { id: feedIdIn },
  output: z.strictObject({
    ok: z.literal(true),
    id: numberIdOut,
    deletedNotificationIds: z.array(z.never()).max(0).meta({ description: 'No feed has notifications.' }),
  }),
  notFound: 'FEED_NOT_FOUND',
  run: async (context, { params }) => {
    const id = await feedIdOf(context, params.id)
    const deleted = isRefusal(id) ? id : await deleteView(context, id)
    return isRefusal(deleted) ? deleted : { ok: true as const, id: params.id, deletedNotificationIds: [] }
  },
})
