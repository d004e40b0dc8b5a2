import { z } from 'zod'
import { VIEW_LIMITS } from '../../domain/filter/view.ts'
import type { ErrorCode } from '../../domain/refusal/error-codes.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import type { View } from '../../queries/views/view-shape.ts'
import type { ReadContext } from '../definition.ts'
import { viewFilterOut } from '../filter-shapes.ts'
import { idOut, lineIn, textIn, textOut, timeOut } from '../shapes.ts'

/** A saved view in full. */
export const view = z
  .strictObject({
    id: idOut('vw'),
    name: textOut(VIEW_LIMITS.name),
    description: textOut(VIEW_LIMITS.description),
    filter: viewFilterOut,
    version: z.int().min(1).meta({ description: 'Increases with every change. Send it as `ifVersion`.' }),
    feedUrl: textOut(1000)
      .nullable()
      .meta({
        description:
          'Atom feed of the view. Anybody with this address can read its mentions; rotate it to end that. ' +
          'Returned to API keys with write scope and to people in a browser; null for read scope, apps and ' +
          'tools. All feeds of a workspace get new addresses when a key with write scope is revoked and ' +
          'when a member leaves or is removed.',
      }),
    createdAt: timeOut,
    updatedAt: timeOut,
  })
  .meta({ id: 'View', description: 'A saved filter of mentions.' })

/**
 * The view as this caller may have it: the address of a feed outlives a credential that is taken back, and stays in
 * what a model has read.
 */
export function shownView(context: Asking, shown: View): View
export function shownView<Code extends ErrorCode>(context: Asking, answer: View | Refusal<Code>): View | Refusal<Code>
export function shownView({ caller, forModel }: Asking, answer: View | Refusal): View | Refusal {
  return isRefusal(answer) || (caller.scope === 'write' && caller.kind !== 'oauth' && !forModel)
    ? answer
    : { ...answer, feedUrl: null }
}

type Asking = Pick<ReadContext, 'caller' | 'forModel'>

// What callers may say of a view, when they create and when they change it.

export const nameIn = lineIn(1, VIEW_LIMITS.name).meta({
  description: 'Unique in the workspace in any letter case.',
})
export const descriptionIn = textIn(0, VIEW_LIMITS.description).nullable()
