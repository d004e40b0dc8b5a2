import { z } from 'zod'
import { exportWorkspace } from '../../queries/archive/export-workspace.ts'
import { defineOperation } from '../definition.ts'
import { FILE_NAME_HEADER, fileNamed, streamed } from '../streamed.ts'

export const exportWorkspaceOperation = defineOperation({
  id: 'export-workspace',
  method: 'GET',
  path: '/v1/workspace/export',
  access: 'read',
  roles: ['owner'],
  peopleOnly: true,
  summary: 'Export the workspace',
  description:
    'Streams an archive of the workspace as JSON lines. The first line is the manifest, with the version of the ' +
    'archive, the schema of the database and counts of rows. Each further line is a row of a table. The last line ' +
    'counts the rows; an archive without it is incomplete. Secrets are left out.',
  tag: 'Service',
  status: 200,
  output: z
    .string()
    .max(1_000_000_000_000)
    .meta({ description: 'The manifest, then one line for each row, then the end.' }),
  streams: 'application/x-ndjson',
  exports: true,
  headers: FILE_NAME_HEADER,
  errors: [],
  limit: { name: 'workspace exports', perMinute: 2 },
  audits: true,
  tool: { hidden: 'An archive is too long for a model; the lists page through the same data.' },
  run: async (context) => streamed(exportWorkspace(context), fileNamed('workspace', 'jsonl', context.clock.now())),
})
