import { z } from 'zod'
import { GROUP_LIMITS } from '../../domain/group/group.ts'
import { countOut, exactIn, idOut, lineIn, textIn, textOut, timeOut } from '../shapes.ts'

/** The group of a keyword or mention, as it is shown there. */
export const groupRef = z
  .strictObject({
    id: idOut('grp'),
    name: textOut(GROUP_LIMITS.name),
    externalId: textOut(GROUP_LIMITS.externalId).nullable().meta({ description: 'Your own id, kept exactly as sent.' }),
    isDefault: z.boolean().meta({ description: 'True for the group of keywords that name none.' }),
  })
  .meta({ id: 'GroupRef', description: 'The group of a keyword.' })

export const group = z
  .strictObject({
    ...groupRef.shape,
    context: textOut(GROUP_LIMITS.context).meta({
      description: "Text that the classifier reads for this group's keywords instead of the company profile.",
    }),
    stats: z.strictObject({
      keywords: countOut,
      active: countOut.meta({ description: 'Number of collecting keywords.' }),
    }),
    createdAt: timeOut,
    updatedAt: timeOut,
  })
  .meta({ id: 'Group', description: 'A group of keywords.' })

export const nameIn = lineIn(1, GROUP_LIMITS.name)
export const externalIdIn = exactIn(1, GROUP_LIMITS.externalId)
export const contextIn = textIn(0, GROUP_LIMITS.context)
