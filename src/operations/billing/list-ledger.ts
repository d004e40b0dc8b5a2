import { z } from 'zod'
import { MANAGING_ROLES } from '../../domain/member/team.ts'
import { refuseField } from '../../domain/refusal/refusal.ts'
import { LEDGER_KINDS } from '../../domain/wallet/ledger.ts'
import { listLedger } from '../../queries/wallet/list-ledger.ts'
import { defineOperation } from '../definition.ts'
import { dayIn, listIn, pageIn, pageOut } from '../shapes.ts'
import { ledgerLine } from './shapes.ts'

export const listLedgerOperation = defineOperation({
  id: 'list-ledger',
  method: 'GET',
  path: '/v1/billing/ledger',
  access: 'read',
  roles: MANAGING_ROLES,
  summary: 'List the ledger',
  description:
    'Everything that moved the balance, the last booked first. Lines are only ever added. A debit names the day ' +
    '(UTC) that it pays for: mentions are settled on the day after they were scored, keyword days on the day ' +
    'itself. Every amount is rounded by itself from exact figures, so the sum of the lines shown may differ from ' +
    'the balance by some cents.',
  tag: 'Billing',
  query: {
    ...pageIn,
    kind: listIn(z.enum(LEDGER_KINDS), LEDGER_KINDS.length).optional().meta({ description: 'Lines of these kinds.' }),
    day: dayIn.optional().meta({
      description: 'Lines of one day (UTC): debits that pay for it, and everything else that was booked on it.',
    }),
    from: dayIn.optional().meta({ description: 'Lines of this day (UTC) and later ones.' }),
    to: dayIn.optional().meta({ description: 'Lines of this day (UTC), included, and earlier ones.' }),
  },
  status: 200,
  output: pageOut(ledgerLine).meta({ id: 'LedgerPage', description: 'A page of the ledger.' }),
  errors: ['invalid_cursor', 'not_found'],
  tool: { name: 'list_ledger', title: 'List the ledger', destructive: false, idempotent: true },
  run: async (context, { query: { kind, day, from, to, limit, cursor } }) => {
    if (day !== undefined && (from ?? to) !== undefined) return refuseField('day', 'cannot be combined with from or to')
    return await listLedger(context, {
      kinds: kind ?? null,
      from: day ?? from ?? null,
      to: day ?? to ?? null,
      limit,
      cursor: cursor ?? null,
    })
  },
})
