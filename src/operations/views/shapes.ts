import { z } from 'zod'
import { VIEW_LIMITS } from '../../domain/filter/view.ts'
import { viewFilterOut } from '../filter-shapes.ts'
import { idOut, lineIn, textIn, textOut, timeOut } from '../shapes.ts'

/** A saved view in full. */
export const view = z
  .strictObject({
    id: idOut('vw'),
    name: textOut(VIEW_LIMITS.name),
    description: textOut(VIEW_LIMITS.description),
    filter: viewFilterOut,
    version: z.int().min(1).meta({ description: 'Grows with every change; send it as ifVersion.' }),
    feedUrl: textOut(1000).meta({ description: 'The Atom feed of the view. Whoever has this address can read the mentions; rotate it to make it useless.' }),
    createdAt: timeOut,
    updatedAt: timeOut,
  })
  .meta({ id: 'View', description: 'A filter of mentions under a name.' })

// What callers may say of a view, when they create and when they change it.

export const nameIn = lineIn(1, VIEW_LIMITS.name).meta({ description: 'Unique in the workspace, whatever its letter case.' })
export const descriptionIn = textIn(0, VIEW_LIMITS.description).nullable()
