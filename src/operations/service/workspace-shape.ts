import { z } from 'zod'
import { WORKSPACE_NAME_MAX } from '../../domain/workspace/workspace.ts'
import { idOut, textOut, timeOut } from '../shapes.ts'

export const workspaceOut = z
  .strictObject({
    id: idOut('org'),
    name: textOut(WORKSPACE_NAME_MAX),
    createdAt: timeOut,
    deletesAt: timeOut.nullable().meta({
      description: 'When the workspace is deleted; null without a scheduled deletion.',
    }),
  })
  .meta({ id: 'Workspace', description: 'A workspace.' })
