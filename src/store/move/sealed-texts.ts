import type { Uuid } from '../../kernel/ids.ts'
import { headersBinding } from '../channel/channel-config.ts'
import { secretBinding } from '../channel/channels.ts'
import { tokenBinding } from '../channel/slack.ts'
import { type Reader, type Statement, sql, type Transaction } from '../database.ts'
import { answerBinding } from '../workspace/request-answers.ts'

/** A secret of a workspace, sealed under the key of its cell. */
export interface SealedText {
  kind: keyof typeof WRITE
  /** Of its row. */
  key: readonly string[]
  boundTo: string
  text: string
}

interface Row {
  kind: SealedText['kind']
  key: readonly string[]
  text: string
}

export async function readSealed(reader: Reader, workspaceId: Uuid): Promise<SealedText[]> {
  const rows = await reader.query<Row>(sql`
    select 'secret' as kind, array[id::text] as key, secret_sealed as text from channel
      where workspace_id = ${workspaceId} and secret_sealed is not null
    union all select 'headers', array[id::text], config ->> 'headersSealed' from channel
      where workspace_id = ${workspaceId} and config ->> 'headersSealed' is not null
    union all select 'token', array[]::text[], token_sealed from slack_connection where workspace_id = ${workspaceId}
    union all select 'answer', array[operation, request_id::text], answer_sealed from request_answer
      where workspace_id = ${workspaceId} and answer_sealed <> ''
    order by 1, 2`)
  return rows.map((row) => ({ ...row, boundTo: bindingOf(row, workspaceId) }))
}

function bindingOf({ kind, key: [first = '', second = ''] }: Row, workspaceId: Uuid): string {
  if (kind === 'secret') return secretBinding(workspaceId, first as Uuid)
  if (kind === 'headers') return headersBinding({ workspaceId, id: first as Uuid })
  if (kind === 'token') return tokenBinding(workspaceId)
  return answerBinding({ workspaceId, operation: first, requestId: second })
}

const WRITE = {
  secret: ({ key, text }: Row, workspaceId: Uuid) =>
    sql`update channel set secret_sealed = ${text} where workspace_id = ${workspaceId} and id = ${key[0]}::uuid`,
  headers: ({ key, text }: Row, workspaceId: Uuid) => sql`
    update channel set config = config || jsonb_build_object('headersSealed', ${text}::text)
    where workspace_id = ${workspaceId} and id = ${key[0]}::uuid`,
  token: ({ text }: Row, workspaceId: Uuid) =>
    sql`update slack_connection set token_sealed = ${text} where workspace_id = ${workspaceId}`,
  answer: ({ key, text }: Row, workspaceId: Uuid) => sql`
    update request_answer set answer_sealed = ${text} where workspace_id = ${workspaceId}
      and operation = ${key[0]} and request_id = ${key[1]}::uuid`,
} satisfies Record<string, (row: Row, workspaceId: Uuid) => Statement<unknown>>

export async function writeSealed(tx: Transaction, workspaceId: Uuid, sealed: SealedText): Promise<void> {
  await tx.query(WRITE[sealed.kind](sealed, workspaceId))
}
