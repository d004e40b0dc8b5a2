import { z } from 'zod'
import { WORKSPACE_NAME_MAX } from '../../domain/workspace/workspace.ts'
import { idOut, textOut, timeOut } from '../shapes.ts'

function periodOut<Days extends z.ZodType>(days: Days) {
  return z.strictObject({
    days: days.meta({ description: 'Days in force; null keeps everything.' }),
    ownDays: z.int().nullable().meta({ description: 'The choice of the workspace; null follows the installation.' }),
    longestDays: z.int().nullable().meta({ description: 'The period of the installation; null for none.' }),
  })
}

export const workspaceOut = z
  .strictObject({
    id: idOut('org'),
    name: textOut(WORKSPACE_NAME_MAX),
    createdAt: timeOut,
    deletesAt: timeOut.nullable().meta({
      description: 'When the workspace is deleted; null without a scheduled deletion.',
    }),
    retention: z
      .strictObject({
        mentions: periodOut(z.int().nullable()),
        deliveries: periodOut(z.int()),
      })
      .meta({ description: 'How long mentions and the log of deliveries are kept.' }),
  })
  .meta({ id: 'Workspace', description: 'A workspace.' })
