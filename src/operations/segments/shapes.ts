import { z } from 'zod'
import { SEGMENT_LIMITS } from '../../domain/person/person.ts'
import { peopleFilterOut } from '../people/shapes.ts'
import { countOut, idOut, lineIn, textIn, textOut, timeOut } from '../shapes.ts'

/** A segment in full. */
export const segment = z
  .strictObject({
    id: idOut('seg'),
    name: textOut(SEGMENT_LIMITS.name),
    description: textOut(SEGMENT_LIMITS.description),
    filter: peopleFilterOut,
    count: countOut.meta({ description: 'Current number of people.' }),
    version: z.int().min(1).meta({ description: 'Increases with every change. Send it as `ifVersion`.' }),
    createdAt: timeOut,
    updatedAt: timeOut,
  })
  .meta({ id: 'Segment', description: 'A saved filter of people.' })

// What callers may say of a segment, when they create and when they change it.

export const nameIn = lineIn(1, SEGMENT_LIMITS.name).meta({
  description: 'Unique in the workspace in any letter case.',
})
export const descriptionIn = textIn(0, SEGMENT_LIMITS.description).nullable()
