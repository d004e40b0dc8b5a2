import { MANAGING_ROLES } from '../../domain/member/team.ts'
import { listLedger } from '../../queries/wallet/list-ledger.ts'
import { defineOperation } from '../definition.ts'
import { pageIn, pageOut } from '../shapes.ts'
import { ledgerLine } from './shapes.ts'

export const listLedgerOperation = defineOperation({
  id: 'list-ledger',
  method: 'GET',
  path: '/v1/billing/ledger',
  access: 'read',
  roles: MANAGING_ROLES,
  summary: 'List the ledger',
  description:
    'Everything that moved the balance, the last booked first. Lines are only ever added. A debit names the day (UTC) that it pays for: mentions are settled on the day after they were scored, keyword days on the day itself. Every amount is rounded by itself from exact figures, so the sum of the lines shown may differ from the balance by some cents.',
  tag: 'Billing',
  query: pageIn,
  status: 200,
  output: pageOut(ledgerLine).meta({ id: 'LedgerPage', description: 'A page of the ledger.' }),
  errors: ['invalid_cursor', 'not_found'],
  tool: { name: 'list_ledger', title: 'List the ledger', destructive: false, idempotent: true },
  run: (context, { query }) => listLedger(context, { limit: query.limit, cursor: query.cursor ?? null }),
})
