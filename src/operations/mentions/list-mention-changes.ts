import { listMentionChanges } from '../../queries/mentions/mention-history.ts'
import { defineOperation } from '../definition.ts'
import { idIn, pageIn, pageOut } from '../shapes.ts'
import { mentionChange } from './shapes.ts'

export const listMentionChangesOperation = defineOperation({
  id: 'list-mention-changes',
  method: 'GET',
  path: '/v1/mentions/{id}/changes',
  access: 'read',
  summary: "List a mention's changes",
  description: 'Returns who changed which fields of a mention and when, newest first. Kept as long as the mention.',
  tag: 'Mentions',
  params: { id: idIn('mtn') },
  query: pageIn,
  status: 200,
  output: pageOut(mentionChange).meta({ id: 'MentionChangePage', description: "A page of a mention's history." }),
  errors: ['invalid_cursor'],
  tool: { name: 'list_mention_changes', title: "List a mention's changes", destructive: false, idempotent: true },
  run: (context, { params, query }) =>
    listMentionChanges(context, params.id, { limit: query.limit, cursor: query.cursor ?? null }),
})
