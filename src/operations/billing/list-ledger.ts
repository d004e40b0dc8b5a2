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
  summary: 'List ledger entries',
  description:
    'Returns every change of the balance, newest first. Entries are never changed or removed. A ' +
    'debit names the day (UTC) it pays for: mentions are settled the day after they are scored, ' +
    'keyword days on the day itself. Each amount is rounded by itself, so the sum of entries may ' +
    'differ from the balance by a few cents.',
  tag: 'Billing',
  query: {
    ...pageIn,
    kind: listIn(z.enum(LEDGER_KINDS), LEDGER_KINDS.length).optional().meta({ description: 'Entries of these kinds.' }),
    day: dayIn.optional().meta({
      description: 'Entries of one day (UTC): debits that pay for it, and all others booked on it.',
    }),
    from: dayIn.optional().meta({ description: 'Entries from this day (UTC) on.' }),
    to: dayIn.optional().meta({ description: 'Entries up to this day (UTC), included.' }),
  },
  status: 200,
  output: pageOut(ledgerLine).meta({ id: 'LedgerPage', description: 'A page of the ledger.' }),
  errors: ['invalid_cursor', 'not_found'],
  tool: { name: 'list_ledger', title: 'List ledger entries', destructive: false, idempotent: true },
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
